/** The oracle as a process of its own: reads an order, writes the truth, and takes its memory with it when it ends. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Order } from '../truth.ts';
import { truthOf } from './find-truth.ts';

const [, , orderFile, truthFile] = process.argv;
if (orderFile === undefined || truthFile === undefined) throw new Error('usage: main.ts <order> <truth>');
const order = JSON.parse(readFileSync(orderFile, 'utf8')) as Order;
writeFileSync(truthFile, JSON.stringify(truthOf(order)));
