/** Two runs on one machine, row by row: what got worse, and whether by more than the rounds of the earlier run differ. */
import { readFileSync, writeFileSync } from 'node:fs'

/** A row is lost when its median is worse by more than this and lies outside of the earlier run's rounds. */
const MOST_LOST = 0.05

/** Writes what `compareRuns` reads. */
export function saveRun(file, rows) {
  const kept = rows.map(({ name, target, value, spread }) => ({
    name,
    isMore: target?.most === undefined,
    value,
    range: rangeOf(spread, value),
  }))
  writeFileSync(file, `${JSON.stringify({ machine: machineOf(), rows: kept }, null, 1)}\n`)
}

/** Prints each row that both runs have; true when none is lost. False when the earlier run is of another kind of machine. */
export function compareRuns(file, rows) {
  const { machine, rows: earlier } = JSON.parse(readFileSync(file, 'utf8'))
  if (machine !== machineOf()) {
    process.stdout.write(`${file} was measured on ${machine}, which this machine is not: nothing is compared\n`)
    return false
  }
  const before = new Map(earlier.map((row) => [row.name, row]))
  const lost = rows.filter((row) => {
    const old = before.get(row.name)
    if (!old) return false
    const better = (row.value / old.value - 1) * (old.isMore ? 1 : -1)
    const [low, high] = old.range
    const isOutside = old.isMore ? row.value < low : row.value > high
    const isLost = better < -MOST_LOST && isOutside
    const change = `${better < 0 ? 'worse' : 'better'} by ${Math.abs(better * 100).toFixed(1)} %`
    process.stdout.write(
      `${isLost ? 'LOST' : 'ok  '} ${row.name}: ${round(old.value)} (${round(low)} to ${round(high)}) → ${round(row.value)}, ${change}\n`,
    )
    return isLost
  })
  process.stdout.write(`${lost.length} of ${rows.length} rows lost more than ${MOST_LOST * 100} % outside of the earlier run's spread\n`)
  return lost.length === 0
}

/** `spread` as the rows print it: lowest and highest round, in any unit. */
function rangeOf(spread, value) {
  const found = [...(spread ?? '').matchAll(/[\d.]+/g)].map(([text]) => Number(text))
  // Some rows say their spread in another unit than their value.
  return found.length === 2 && found[0] <= value * 1.01 && value <= found[1] * 1.01 ? found : [value, value]
}

function round(value) {
  return Number(value.toPrecision(4))
}

function machineOf() {
  return /model name\s*: (.*)/.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? 'unknown'
}
