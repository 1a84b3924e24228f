/** Walks in Go: interfaces without declarations of them, goroutines, and a rename that is phased. */
import type { Walk } from './walk.ts';

export const SHOP = `
//- go.mod
module shop

go 1.19
//- oven/oven.go
package oven

type Oven interface {
	Heat(degrees int) int
}

type Gas struct{}

func (Gas) Heat(degrees int) int {
	return degrees / 2
}

type Stone struct{}

func (*Stone) Heat(degrees int) int {
	return degrees * 3
}
//- till/till.go
package till

import "sync"

var Sold int

var lock sync.Mutex

func Sell() {
	Sold = Sold + 1
}

func Report() int {
	lock.Lock()
	defer lock.Unlock()
	return Sold
}
//- main.go
package main

import (
	"shop/oven"
	"shop/till"
)

func main() {
	var o oven.Oven = oven.Gas{}
	println(o.Heat(200))
	for i := 0; i < 2; i++ {
		go till.Sell()
	}
	println(till.Report())
}
`;

export const inGo: Readonly<Record<string, Walk>> = {
  'lsp-implement': {
    values: { interface: 'Oven', method: 'Heat', one: 'Gas', two: 'Stone' },
    steps: [
      /oven\/oven\.go:3:6 {2}interface .*Oven/,
      /2 implementations of Oven[\s\S]*Gas[\s\S]*Stone/,
      /2 implementations of (?:Oven\.)?Heat/,
      /2 subtypes of Oven[\s\S]*Gas[\s\S]*Stone/,
      /degrees \/ 2[\s\S]*degrees \* 3/,
    ],
  },
  'lsp-concurrency-audit': {
    files: `
//- box/box.go
package box

import "sync"

type Box struct {
	mu sync.Mutex
	N  int
}

func (b *Box) Add() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.N++
}

func New() *Box {
	return &Box{}
}
`,
    values: { file: 'till/till.go', field: 'Sold', writer: 'Sell', reader: 'Report' },
    steps: [
      /till\/till\.go: \d+ symbols[\s\S]*variable Sold/,
      /writes? to Sold [\s\S]*10:2 in Sell/,
      /references to Sold [\s\S]*in Report/,
      /calls at 12:11 \(go statement\)[\s\S]*started concurrently: 1/,
      /Sold = Sold \+ 1[\s\S]*lock\.Lock\(\)/,
      { first: () => ({ file: 'box/box.go' }), says: /Box .*sync-guarded/ },
    ],
  },
  'lsp-rename': {
    values: { symbol: 'Report', new_name: 'Total', directory: 'till' },
    steps: [
      /^activated \(block\): phase prerequisites \(1 of 3\)/,
      /ready/,
      /till\/till\.go:13:6 {2}function .*Report/,
      /can be renamed/,
      /1 reference to Report .*complete/,
      // A server that has just started may need longer than a trial has.
      {
        says: /would change 2 places in 2 files[\s\S]*(?:tried out: 0 new errors|could not be tried out within 1\.5 s; trial_ms)/,
        takes: { edit_id: /edit_id (e\d+)/ },
      },
      { says: /baseline/, takes: { baseline_id: /(?:since|baseline) "?(b\d+)/ } },
      /changed 2 places in 2 files/,
      /no new|nothing new|0 new/i,
      /^deactivated in phase execute \(3 of 3\)/,
    ],
  },
};
