#!/usr/bin/env node
import { homedir } from 'node:os'
import { run } from './program.ts'
import { styleOf } from './style.ts'

// A reader such as `head` closes the pipe when it has enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  // What runs in a pipeline is never asked, also where the pipeline has a terminal.
  isTerminal: process.stdin.isTTY && process.stdout.isTTY && !process.env['CI'],
  style: styleOf(process.env, process.stdout.isTTY),
  stopSignal: () => {
    const stopping = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
    return stopping.signal
  },
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
})
