import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace } = await startApp()

test('C-SYNC-28 beside blocks there is config alone, which tells clients how often to poll', async () => {
  const ws = await workspace()
  const { data } = await ws.app.get('/sync')
  assert.deepEqual(Object.keys(data).sort(), ['blocks', 'config'])
  assert.equal(data.config.pollIntervalSeconds, 30)
})

test('C-LIMIT-19 a popup and an interruptive block without a frequency carry once a day, other blocks none, and config names the default', async () => {
  const ws = await workspace()
  await ws.block('popup', { designType: 'popup' })
  await ws.block('modal', { designType: 'card', interruptive: true })
  await ws.block('card', { designType: 'card' })
  for (const key of ['popup', 'modal', 'card']) await ws.instance(key, { values: { '#title': key } })
  await ws.instance('popup', { priority: -1, frequency: { per: 'week', max: 2 } })
  const { blocks, config } = (await ws.app.get('/sync')).data
  const frequencies = blocks.map((block: any) => [block.key, block.frequency])
  assert.deepEqual(frequencies, [
    ['card', undefined],
    ['modal', { per: 'day', max: 1 }],
    ['popup', { per: 'day', max: 1 }],
    ['popup', { per: 'week', max: 2 }],
  ])
  assert.deepEqual(config.popupDefaultFrequency, { per: 'day', max: 1 })
})
