/** Events while the server, and once the database, is killed at random moments: what was acknowledged must be there, once. */
import { expectStatus, makeBuilders } from '../../packages/server/test/builders/builders.ts'
import { EventLoad, endureKills, readStored } from '../../packages/server/test/builders/event-load.ts'
import { freePort, spawnServer, started } from '../../packages/server/test/harness/server-process.ts'
import { OPERATOR_TOKEN } from '../../packages/server/test/harness/start-app.ts'
import { startCluster } from '../lib/cluster.mjs'
import { count } from '../lib/stats.mjs'

const KILLS = 200
const KILLS_QUICK = 4

export const eventKillsFigure = { name: 'event-kills', run: measure }

async function measure({ isQuick }) {
  const kills = isQuick ? KILLS_QUICK : KILLS
  const cluster = await startCluster()
  const env = { DATABASE_URL: cluster.url, PORT: await freePort() }
  let server
  const start = async () => {
    server = spawnServer(env)
    return started(server)
  }
  const end = async (signal) => {
    server.kill(signal)
    await server.exit
  }
  try {
    const { workspace, operator } = makeBuilders(await start(), OPERATOR_TOKEN)
    const ws = await workspace()
    expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
    const load = await EventLoad.open(ws)
    // In the middle it is the database that dies; the server lives on and finds it again by itself.
    const isOfDatabase = (round) => round === Math.ceil(kills / 2)
    await endureKills(load, kills, {
      kill: async (round) => (isOfDatabase(round) ? cluster.kill() : end('SIGKILL')),
      start: async (round) => (isOfDatabase(round) ? cluster.start() : start()),
    })
    await load.settle()
    await end('SIGTERM')
    return [describe(kills, load, load.judge(await readStored(env, ws.id)))]
  } finally {
    await end('SIGKILL')
    await cluster.remove()
  }
}

function describe(kills, load, { stored, lost, twice, unknown }) {
  return {
    name: 'event-kills',
    what: `Acknowledged events lost, and events stored twice, after ${kills} kills`,
    target: { most: 0, unit: 'events' },
    value: lost.length + twice.length + unknown.length,
    spread: '',
    ours: `lost ${lost.length}, stored twice ${twice.length}, stored but never sent ${unknown.length}`,
    limit: 'none',
    made: [
      `${count(load.acknowledged.size)} events were acknowledged, ${count(stored)} are stored: the difference had no answer.`,
      `${kills - 1} times the server was killed with SIGKILL, once PostgreSQL with all its processes, at random moments of eight devices sending.`,
      'Half of the events have ids and are sent again when their answer is lost, a quarter of the batches twice at once.',
    ],
  }
}
