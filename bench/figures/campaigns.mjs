/** POST /campaigns for 1,000 devices with 20 campaigns live, against a bare server that sends each device the same bytes. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch } from '../../packages/server/test/builders/campaigns.ts'
import { record, startBare } from '../lib/bare.mjs'
import { forEach, openWorkspace, withProduct } from '../lib/product.mjs'
import { count, median, percent, spread } from '../lib/stats.mjs'
import { refuseWithoutWrk, writeRequests } from '../lib/wrk.mjs'
import { alternate, insertDevices } from './delivery/sync.mjs'

const DEVICES = 1_000
const CAMPAIGNS = 20
const TARGET = 0.75
const BODY = JSON.stringify({ placementId: 'home_top', deviceInfo: { platform: 'web' } })
const JSON_BODY = ['Content-Type', 'application/json']

export const campaignsFigure = { name: 'campaigns', run: measure }

async function measure(options) {
  refuseWithoutWrk()
  const folder = mkdtempSync(join(tmpdir(), 'cf-bench-'))
  try {
    return await withProduct(options, async (product, databaseUrl) => {
      const { key, devices } = await makeCampaigns(product.url, databaseUrl)
      const url = `${product.url}/sdk/v1/campaigns`
      const asking = (id) => ['X-CF-Key', key, 'X-CF-Device', id, ...JSON_BODY]
      const answers = []
      await forEach(devices, async (id, i) => {
        answers[i] = await record(url, headersOf(asking(id)), { body: BODY })
        assert.ok(JSON.parse(answers[i].body).data.length >= CAMPAIGNS / 2)
      })
      const file = join(folder, 'requests')
      writeRequests(
        file,
        devices.map((id) => ['/sdk/v1/campaigns', ...asking(id), '@body', BODY]),
      )
      const byDevice = Object.fromEntries(devices.map((id, i) => [id, answers[i]]))
      const bare = await startBare('replay', { ...answers[0], byDevice }, folder)
      const again = await record(`${bare.url}/sdk/v1/campaigns`, headersOf(asking(devices[0])), { body: BODY })
      assert.deepEqual(again, answers[0], 'both servers send the same')
      const rounds = await alternate(product, bare, { product: file, bare: file }, options)
      await bare.stop()
      return [describe(rounds, new Set(answers.map(({ body }) => body)).size, median(answers.map(({ body }) => body.length)))]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Half of them for everybody, half for a segment each; two languages and two variants. */
async function makeCampaigns(url, databaseUrl) {
  const workspace = await openWorkspace(url)
  const editor = await workspace.editor()
  const variants = ['a', 'b'].map((id) => ({ id, weight: 1, values: { title: `Weekend ${id}` } }))
  const said = {
    title: 'Weekend',
    body: 'Everything is a fifth cheaper.',
    ctaLabel: 'Shop',
    ctaUrl: '/offers',
    placementIds: ['home_top'],
    variants,
  }
  for (let i = 0; i < CAMPAIGNS; i++) {
    const segments = [i % 2 === 0 ? 'All users' : `segment_${i}`]
    await launch(workspace, editor, { name: `Campaign ${i}`, priority: 1 + (i % 10), segments, content: { en: said, ar: said } })
  }
  const devices = Array.from({ length: DEVICES }, (_, i) => `device-${String(i).padStart(6, '0')}`)
  await insertDevices(databaseUrl, workspace.id, devices)
  return { key: workspace.live, devices }
}

function headersOf(flat) {
  return Object.fromEntries(flat.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), flat[i + 1]]] : [])))
}

function describe({ rounds, repeated }, distinct, bytes) {
  const side = (name) => `${count(median(rounds.map((round) => round[name].perSecond)))} requests/s`
  const ratios = rounds.map(({ product, bare }) => product.perSecond / bare.perSecond)
  const perCpu = rounds.map(({ product, bare }) => product.perCpuSecond / bare.perCpuSecond)
  const busy = (name) => percent(median(rounds.map((round) => round[name].serverShare)))
  return {
    name: 'campaigns',
    what: `POST /campaigns with ${CAMPAIGNS} campaigns live, ${count(bytes)} bytes`,
    target: { least: TARGET },
    value: median(ratios),
    spread: spread(ratios),
    ours: side('product'),
    limit: `${side('bare')}, bare node:http`,
    made: [
      `${count(DEVICES)} devices get ${count(distinct)} different answers; 64 connections, requests rotate over the devices.`,
      `By processor time of the server the ratio is ${median(perCpu).toFixed(2)} (${spread(perCpu)}).`,
      `The servers kept their core ${busy('product')} and ${busy('bare')} busy (product and bare); ${repeated} rounds were disturbed.`,
    ],
  }
}
