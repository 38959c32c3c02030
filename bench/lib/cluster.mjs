/** A PostgreSQL cluster of our own, that may be killed. */
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../packages/server/test/harness/server-process.ts'
import { output, said, sleep, start } from './processes.mjs'

export async function startCluster() {
  const bin = globSync('/usr/lib/postgresql/*/bin').at(-1)
  if (!bin) throw new Error('This figure needs a PostgreSQL server; on Debian: apt-get install -y postgresql')
  const folder = mkdtempSync(join(tmpdir(), 'cf-cluster-'))
  chmodSync(folder, 0o777)
  const data = join(folder, 'data')
  const port = await freePort()
  await output(startAsOwner(`${bin}/initdb -D ${data} -U postgres -A trust -E UTF8 --locale=C`))
  let master
  const run = async () => {
    master = startAsOwner(`${bin}/postgres -D ${data} -p ${port} -k ${folder} -c listen_addresses=127.0.0.1`)
    await said(master, /ready to accept connections/)
  }
  /** All its processes at once, as a machine that loses power; resolves when they are gone. */
  const kill = async () => {
    const workers = childrenOf(master.pid)
    master.kill('SIGKILL')
    for (const pid of workers) killIfThere(pid)
    await master.ended
    while (workers.some(isRunning)) await sleep(10)
  }
  await run()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start: run,
    kill,
    remove: async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL does not run as root. */
function startAsOwner(command) {
  const owner = process.getuid() === 0 ? ['--reuid=postgres', '--regid=postgres', '--clear-groups'] : []
  return start('setpriv', [...owner, 'bash', '-c', `cd / && exec ${command} 2>&1`])
}

/** None when it is gone. */
function childrenOf(pid) {
  const file = `/proc/${pid}/task/${pid}/children`
  return existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : []
}

/** One that is dead and not yet buried has no command. */
function isRunning(pid) {
  const file = `/proc/${pid}/cmdline`
  return existsSync(file) && readFileSync(file, 'utf8') !== ''
}

function killIfThere(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
