/**
 * Measures the product against the limit of each figure, in the same run: `npm run bench`, or
 * `npm run bench -- sync-200 streams` for some. See --help.
 */
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { analysisFigures } from './figures/analysis.mjs'
import { auditFigures } from './figures/audit.mjs'
import { behaviourFigures } from './figures/behaviour.mjs'
import { boardFigure } from './figures/board.mjs'
import { campaignsFigure } from './figures/campaigns.mjs'
import { contactsFigure } from './figures/contacts.mjs'
import { goingLiveFigure } from './figures/going-live.mjs'
import { diskFigure } from './figures/disk.mjs'
import { deviceViewsFigure } from './figures/device-views.mjs'
import { herdFigure } from './figures/herd.mjs'
import { identifyFigure } from './figures/identify.mjs'
import { importsFigure } from './figures/imports.mjs'
import { journeysFigure } from './figures/messages/journeys.mjs'
import { inboxUnreadFigure } from './figures/messages/inbox-unread.mjs'
import { rebuildFigure } from './figures/rebuild.mjs'
import { renameFigure } from './figures/rename.mjs'
import { segmentFigures } from './figures/segments.mjs'
import { eventKillsFigure } from './figures/event-kills.mjs'
import { eventFigures } from './figures/events.mjs'
import { mailRenderFigure } from './figures/messages/mail-render.mjs'
import { noisyCampaignFigure } from './figures/messages/noisy-campaign.mjs'
import { personCrowdFigure } from './figures/person-crowd.mjs'
import { personExportFigure } from './figures/person-export.mjs'
import { pictureFigure } from './figures/picture.mjs'
import { pixelFigure } from './figures/pixel.mjs'
import { redirectFigure } from './figures/messages/redirect.mjs'
import { sendKillsFigure } from './figures/messages/send-kills.mjs'
import { sendSoakFigure } from './figures/messages/send-soak.mjs'
import { sendExpansionFigure } from './figures/messages/send-expansion.mjs'
import { sendPushFigures } from './figures/messages/send-push.mjs'
import { startFigure } from './figures/start.mjs'
import { streamsFigure } from './figures/streams.mjs'
import { stringFigures } from './figures/strings.mjs'
import { syncFigures } from './figures/delivery/sync.mjs'
import { syncProvenFigure } from './figures/delivery/sync-proven.mjs'
import { webPushFigure } from './figures/messages/web-push.mjs'
import { webhooksFigure } from './figures/messages/webhooks.mjs'
import { endAll, takeLoadCore } from './lib/processes.mjs'
import { openPatience } from './lib/quiet.mjs'
import { compareRuns, saveRun } from './compare.mjs'
import { postgresSeconds } from './lib/postgres-time.mjs'
import { listProfiles, timeShares } from './lib/time-shares.mjs'
import { describeRow, describeTime, writeReport, writeTimes } from './report.mjs'

const FIGURES = [
  ...syncFigures,
  syncProvenFigure,
  campaignsFigure,
  goingLiveFigure,
  streamsFigure,
  herdFigure,
  personCrowdFigure,
  personExportFigure,
  pixelFigure,
  pictureFigure,
  startFigure,
  rebuildFigure,
  boardFigure,
  renameFigure,
  deviceViewsFigure,
  diskFigure,
  identifyFigure,
  contactsFigure,
  importsFigure,
  journeysFigure,
  ...auditFigures,
  ...eventFigures,
  eventKillsFigure,
  ...analysisFigures,
  ...stringFigures,
  ...segmentFigures,
  ...behaviourFigures,
  sendExpansionFigure,
  ...sendPushFigures,
  sendKillsFigure,
  sendSoakFigure,
  webhooksFigure,
  redirectFigure,
  mailRenderFigure,
  webPushFigure,
  inboxUnreadFigure,
  noisyCampaignFigure,
]
const HELP = `node bench/run.mjs [options] [figure …]

Figures: ${FIGURES.map((figure) => figure.name).join(', ')} (all when none is named)

  --rounds N       rounds of each figure (default 9)
  --seconds S      seconds of a round under load (default 3)
  --patience S     seconds the whole run may wait for quiet moments of the machine (default 300)
  --quick          three short rounds, fewer streams; writes no RESULTS.md
  --profile DIR    writes a processor profile of each product process there, and where the time of each figure went into
                   RESULTS.md; figures are slower meanwhile and are not written
  --save FILE      writes the rows there, for --compare
  --compare FILE   ends with 1 when a row is worse than in that run of the same machine, by more than 5 % and its spread

PostgreSQL is taken from TEST_DATABASE_URL, else from postgres://postgres@127.0.0.1:5432; it needs the right to make databases.
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    patience: { type: 'string' },
    quick: { type: 'boolean', default: false },
    profile: { type: 'string' },
    save: { type: 'string' },
    compare: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => !FIGURES.some((figure) => figure.name === name))
if (values.help || unknown.length > 0) {
  process.stdout.write(`${unknown.length > 0 ? `Unknown: ${unknown.join(', ')}\n\n` : ''}${HELP}`)
  process.exit(unknown.length > 0 ? 1 : 0)
}

process.env.TEST_DATABASE_URL ??= 'postgres://postgres@127.0.0.1:5432/postgres'
const isQuick = values.quick
const options = {
  rounds: Number(values.rounds ?? (isQuick ? 3 : 9)),
  seconds: Number(values.seconds ?? (isQuick ? 1 : 3)),
  quiet: openPatience(Number(values.patience ?? (isQuick ? 0 : 300))),
  isQuick,
  profile: values.profile,
}
takeLoadCore()
// Without its processes a figure fails, takes down what it made, and the run ends.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, endAll)

const [rows, times] = [[], []]
if (options.profile) mkdirSync(options.profile, { recursive: true })
for (const figure of FIGURES.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  process.stdout.write(`${figure.name} …\n`)
  for (const row of await (options.profile ? measureTime(figure) : figure.run(options))) {
    rows.push(row)
    process.stdout.write(`${describeRow(row)}\n`)
  }
}
if (options.profile) writeTimes(times, options)
else if (!isQuick) writeReport(rows, options)
if (values.save) saveRun(values.save, rows)
if (values.compare && !compareRuns(values.compare, rows)) process.exitCode = 1

/** Runs a figure and notes where the time of its product went, and how long PostgreSQL computed meanwhile. */
async function measureTime({ name, run }) {
  const [before, postgres, started] = [new Set(listProfiles(options.profile)), postgresSeconds(), Date.now()]
  const measured = await run(options)
  const shares = timeShares(
    options.profile,
    listProfiles(options.profile).filter((file) => !before.has(file)),
  )
  if (shares) {
    const time = { name, ...shares, seconds: (Date.now() - started) / 1000, postgresSeconds: postgresSeconds() - postgres }
    times.push(time)
    process.stdout.write(`  ${describeTime(time)}\n`)
  }
  return measured
}
