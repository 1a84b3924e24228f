/** The oracle as a process of its own: reads an order, writes the truth, and takes its memory with it when it ends. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Order } from '../truth.ts';
import { truthOf } from './find-truth.ts';
import { truthByNames } from './names/by-names.ts';

const [, , orderFile, truthFile] = process.argv;
if (orderFile === undefined || truthFile === undefined) throw new Error('usage: main.ts <order> <truth>');
const order = JSON.parse(readFileSync(orderFile, 'utf8')) as Order;
const { language, ...rest } = order;
const truth = language === 'typescript' ? truthOf(rest) : truthByNames({ ...rest, language });
writeFileSync(truthFile, JSON.stringify(truth));
