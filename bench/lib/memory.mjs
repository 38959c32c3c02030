/** What the resident memory of a process is made of, by the kernel's list of its mappings. */
import { readFileSync } from 'node:fs'

const GIGABYTE = 1024 ** 3
/** The size of one arena of the C library's allocator, part of it reserved only. */
const ARENA = 64 * 1024 ** 2

/** Resident bytes by kind. */
export function memoryOf(pid) {
  const made = { files: 0, wasm: 0, code: 0, malloc: 0, heaps: 0 }
  const mappings = readMappings(pid)
  for (const [i, mapping] of mappings.entries()) made[kindOf(mapping, mappings[i + 1])] += mapping.resident
  return made
}

/** What each kind is, for a report. */
export const KINDS = {
  files: 'the node binary and libraries, in the page cache',
  wasm: 'WebAssembly memory (the embedded database)',
  code: 'machine code made at run time',
  malloc: 'C allocations',
  heaps: 'JavaScript heaps, stacks, the rest',
}

function kindOf({ name, flags, size }, next) {
  if (name.startsWith('/')) return 'files'
  if (name === '[heap]') return 'malloc'
  if (flags.includes('x')) return 'code'
  // A WebAssembly memory and an arena each begin a larger reservation.
  const reserved = next?.flags.startsWith('---') ? next.size : 0
  if (reserved > 4 * GIGABYTE) return 'wasm'
  return size + reserved === ARENA ? 'malloc' : 'heaps'
}

function readMappings(pid) {
  const mappings = []
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    const head = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \d+\s*(.*)$/.exec(line)
    if (head)
      mappings.push({ size: Number.parseInt(head[2], 16) - Number.parseInt(head[1], 16), flags: head[3], name: head[4], resident: 0 })
    const resident = /^Rss:\s+(\d+)/.exec(line)
    if (resident) mappings.at(-1).resident = Number(resident[1]) * 1024
  }
  return mappings
}
