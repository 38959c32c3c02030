/** GET /r/… of 2,000 different links out of mails that were sent, against a bare server that sends each the same redirect. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from '../../../packages/server/test/builders/campaigns.ts'
import { openProvider } from '../../../packages/server/test/builders/providers.ts'
import { addChannel } from '../../../packages/server/test/builders/channels.ts'
import { addPeople } from '../../../packages/server/test/builders/sends.ts'
import { record, startBare } from '../../lib/bare.mjs'
import { sleep } from '../../lib/processes.mjs'
import { openWorkspace, withProduct } from '../../lib/product.mjs'
import { count, median, spread } from '../../lib/stats.mjs'
import { refuseWithoutWrk, writeRequests } from '../../lib/wrk.mjs'
import { alternate } from '../delivery/sync.mjs'

const PEOPLE = 2_000
const TARGET = 0.6
const PUBLIC = 'https://flow.example'
const BROWSER = ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0']
const env = { CF_PUBLIC_URL: PUBLIC, CF_WEBHOOK_ALLOW_PRIVATE: 'on' }

export const redirectFigure = { name: 'redirect', run: measure }

async function measure(options) {
  refuseWithoutWrk()
  const folder = mkdtempSync(join(tmpdir(), 'cf-bench-'))
  try {
    return await withProduct({ ...options, env }, async (product) => {
      const paths = await sendMails(product.url)
      const file = join(folder, 'requests')
      writeRequests(
        file,
        paths.map((path) => [path, ...BROWSER]),
      )
      const answer = await record(product.url + paths[0], { 'User-Agent': BROWSER[1] })
      if (answer.status !== 302) throw new Error(`The link leads nowhere: ${answer.status}`)
      const bare = await startBare('replay', answer, folder)
      const rounds = await alternate(product, bare, { product: file, bare: file }, options)
      await bare.stop()
      return [describe(rounds, paths)]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The links of a campaign's mails, one of each person. */
async function sendMails(url) {
  const workspace = await openWorkspace(url)
  const mails = await openProvider({ judge: () => undefined, answer: () => ({ status: 200, body: { id: 'm' } }) })
  try {
    const configuration = { apiKey: 're_key', from: 'Shop <a@shop.example>', baseUrl: mails.url }
    await addChannel(workspace.admin, 'email', 'resend', configuration, { name: 'mail' })
    const tracking = { opens: 'unless_refused', clicks: 'unless_refused' }
    await workspace.admin.put('/settings/message-tracking', tracking)
    await addPeople(
      workspace,
      Array.from({ length: PEOPLE }, (_, i) => `user-${i}`),
    )
    const content = {
      en: { title: 'Weekend', body: 'Everything is a fifth cheaper.', ctaLabel: 'Shop', ctaUrl: 'https://shop.example/offers?from=mail' },
    }
    await launch(workspace, await workspace.editor(), { content, dispatchChannels: ['email'] })
    while (mails.taken.length < PEOPLE) await sleep(100)
    return mails.taken.map(({ body }) => /href="https:\/\/flow\.example(\/r\/[^"]+)"/.exec(body.html)[1])
  } finally {
    await mails.close()
  }
}

function describe({ rounds, repeated }, paths) {
  const side = (name) => `${count(median(rounds.map((round) => round[name].perSecond)))} requests/s`
  const ratios = rounds.map(({ product, bare }) => product.perSecond / bare.perSecond)
  const perCpu = rounds.map(({ product, bare }) => product.perCpuSecond / bare.perCpuSecond)
  const p99 = median(rounds.map(({ product }) => product.p99))
  return {
    name: 'redirect',
    what: `GET of a tracked link of ${count(median(paths.map(({ length }) => length)))} characters`,
    target: { least: TARGET },
    value: median(ratios),
    spread: spread(ratios),
    ours: side('product'),
    limit: `${side('bare')}, bare node:http with the same headers`,
    made: [
      `${count(paths.length)} different links, opened and noted each time; 64 connections.`,
      `By processor time of the server the ratio is ${median(perCpu).toFixed(2)} (${spread(perCpu)}). Latency p99, 64 waiting at a time: ${p99.toFixed(1)} ms; ${repeated} rounds were disturbed.`,
    ],
  }
}
