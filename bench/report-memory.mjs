/** Imported into a server under test (with --expose-gc): at each SIGUSR2 it collects garbage and writes what is left to BENCH_MEMORY_FILE. */
import { renameSync, writeFileSync } from 'node:fs'

const file = process.env.BENCH_MEMORY_FILE

process.on('SIGUSR2', () => {
  // Finalizers of the first collection leave garbage to the second.
  for (let i = 0; i < 3; i++) global.gc()
  writeFileSync(`${file}.part`, JSON.stringify(process.memoryUsage()))
  renameSync(`${file}.part`, file)
})
