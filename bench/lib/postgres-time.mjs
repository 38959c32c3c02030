/** Processor time of all processes of PostgreSQL on this machine. */
import { readdirSync, readFileSync } from 'node:fs'
import { cpuSeconds } from './processes.mjs'

/** Of those that ended the time stands on their parent, once it has waited for them. */
export function postgresSeconds() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandOf(name) === 'postgres')
    .reduce((sum, pid) => sum + (cpuSeconds(pid) ?? 0) + endedChildSeconds(pid), 0)
}

function commandOf(pid) {
  return read(`/proc/${pid}/comm`).trim()
}

function endedChildSeconds(pid) {
  const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) / 100
}

/** Empty when the process is gone. */
function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return ''
    throw error
  }
}
