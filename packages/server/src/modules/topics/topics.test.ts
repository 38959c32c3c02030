/** Topics that people decide about: made, named by messages, and held against what each person said. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { create, launch } from '../../../test/builders/campaigns.ts'
import { apply, carry, refused } from '../../../test/builders/code.ts'
import { makeJourney, setStatus, enroll } from '../../../test/builders/journeys.ts'
import { identify } from '../../../test/builders/people.ts'
import { addPeople, openEmail, openPush } from '../../../test/builders/sends.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, operator } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: 'https://flow.example' })

const NEWS = { id: 'news', names: { en: 'News', ar: 'الأخبار' }, channels: ['email', 'push'] }
const OFFERS = { id: 'offers', names: { en: 'Offers' }, channels: ['email'], mode: 'opt_in', position: 1 }
const work = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)

/** People by their answers, who may be written to on every channel. */
async function answering(ws: Workspace, people: Record<string, Record<string, boolean>>) {
  await addPeople(ws, Object.keys(people))
  for (const [userId, topics] of Object.entries(people)) {
    await identify(ws.app, `D-${userId}`, userId)
    expectStatus(await ws.app.post('/consent/full', { deviceId: `D-${userId}`, userId, channels: {}, topics }), 200)
  }
}

const PEOPLE = {
  silent: {},
  no: { news: false, offers: false },
  yes: { news: true, offers: true },
  'no-mail': { 'news.email': false, 'offers.email': false },
  'only-mail': { news: false, 'news.email': true, offers: false, 'offers.email': true },
  'only-push': { news: true, 'news.email': false, 'news.push': true },
}

test('a topic is made, changed, archived and comes back; ids are taken once, and each fault is named', async () => {
  const ws = await workspace()
  const made = expectStatus(await ws.admin.post('/message-topics', NEWS), 201).data
  assert.deepEqual([made.mode, made.position, made.descriptions, made.archivedAt], ['opt_out', 0, {}, null])
  expectStatus(await ws.admin.post('/message-topics', OFFERS), 201)
  assert.equal((await ws.admin.post('/message-topics', NEWS)).body.code, 'TOPIC_EXISTS')
  const viewer = await ws.viewer()
  const ids = async () => expectStatus(await viewer.get('/message-topics'), 200).data.topics.map(({ id }: any) => id)
  assert.deepEqual(await ids(), ['news', 'offers'])
  const changed = expectStatus(await ws.admin.put('/message-topics/news', { ...NEWS, position: 2, mode: 'opt_in' }), 200).data
  assert.deepEqual([changed.position, changed.mode, changed.createdAt], [2, 'opt_in', made.createdAt])
  assert.deepEqual(await ids(), ['offers', 'news'])
  assert.equal((await ws.admin.put('/message-topics/news', { ...NEWS, id: 'other' })).status, 400)
  assert.match((await ws.admin.post('/message-topics', { ...NEWS, id: 'x.y' })).body.error, /^id must be a letter/)
  assert.match((await ws.admin.post('/message-topics', { ...NEWS, id: 'x', channels: ['in_app'] })).body.error, /channels/)
  assert.equal((await ws.admin.put('/message-topics/none', NEWS)).status, 404)
  const editor = await ws.editor()
  for (const answer of [await editor.post('/message-topics', NEWS), await editor.delete('/message-topics/news')])
    assert.equal(answer.body.code, 'ROLE_REQUIRED')
  expectStatus(await ws.admin.delete('/message-topics/news'), 200)
  assert.deepEqual(await ids(), ['offers'])
  assert.equal((await ws.admin.delete('/message-topics/news')).status, 404)
  expectStatus(await ws.admin.post('/message-topics', NEWS), 201)
  for (let n = 0; n < 18; n++) expectStatus(await ws.admin.post('/message-topics', { ...NEWS, id: `t${n}` }), 201)
  assert.equal((await ws.admin.post('/message-topics', { ...NEWS, id: 'one-more' })).body.code, 'TOPIC_LIMIT')
})

test('who does not want a topic is skipped, and counts, batches and single messages say the same of everybody', async () => {
  const ws = await workspace()
  const [email, push] = [await openEmail(), await openPush()]
  await email.connect(ws.admin)
  await push.connect(ws.admin)
  for (const topic of [NEWS, OFFERS]) expectStatus(await ws.admin.post('/message-topics', topic), 201)
  await answering(ws, PEOPLE)
  const wanted = {
    'news email': ['silent', 'yes', 'only-mail'],
    'news push': ['silent', 'yes', 'no-mail', 'only-push'],
    'offers email': ['yes', 'only-mail'],
  }
  for (const [named, people] of Object.entries(wanted)) {
    const [topic = '', channel = ''] = named.split(' ')
    const names = Object.keys(PEOPLE)
    // One by one, judged in memory.
    const one = { channel, topic, content: { title: 'T', body: 'x' } }
    const sent: string[] = []
    for (const userId of names) {
      const { data } = expectStatus(await ws.admin.post('/notifications', { userId, ...one }), 200)
      if (data.sent) sent.push(userId)
      else assert.deepEqual([userId, data.reason], [userId, 'topicOptOut'])
    }
    assert.deepEqual(sent, people, `${named}, one by one`)
    // All at once, judged in SQL.
    const content = { en: { title: 'T', body: 'x' } }
    const draft = await create(ws.admin, { content, dispatchChannels: [channel], topic })
    const { channels } = expectStatus(await ws.admin.post(`/campaigns/${draft.id}/preview`, {}), 200).data
    const skipped = names.length - people.length
    assert.deepEqual([channels[channel].reachable, channels[channel].skipped], [people.length, { topicOptOut: skipped }], named)
    const { id } = await launch(ws, await ws.editor(), { content, dispatchChannels: [channel], topic })
    await work()
    const report = expectStatus(await ws.admin.get(`/campaigns/${id}/report`), 200).data
    assert.deepEqual([report.channels[channel].sent, report.channels[channel].skipped], [people.length, { topicOptOut: skipped }], named)
    for (const userId of names) {
      const explained = expectStatus(await ws.admin.get(`/campaigns/${id}/explain?userId=${userId}`), 200).data
      assert.deepEqual([userId, explained.channels[0].because], [userId, people.includes(userId) ? 'sent' : 'topicOptOut'])
    }
  }
  // Without a topic nothing is asked; a message about one whose topic was archived still is.
  assert.deepEqual((await ws.admin.post('/notifications', { userId: 'no', channel: 'email', content: { body: 'x' } })).data, { sent: true })
})

test('who says no between the audience and the batch gets nothing either; a step of a journey is held to its topic', async () => {
  const ws = await workspace()
  const email = await openEmail()
  await email.connect(ws.admin)
  expectStatus(await ws.admin.post('/message-topics', NEWS), 201)
  await answering(ws, { no: { news: false }, yes: {} })
  const step = { id: 'mail', type: 'send', channel: 'email', topic: 'news', content: { en: { title: 'T', body: 'x' } } }
  const journey = await makeJourney(ws.admin, { steps: [step] })
  assert.equal(journey.steps[0].topic, 'news')
  const run = expectStatus(await ws.admin.post(`/journeys/${journey.id}/test-run`, { userIds: ['no', 'yes'] }), 200).data
  assert.equal(JSON.stringify(run).includes('topicOptOut'), true)
  expectStatus(await setStatus(ws.admin, journey.id, 'active'), 200)
  await enroll(ws, journey.id, ['no', 'yes'])
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'journeys' }), 200)
  await work()
  assert.deepEqual(
    email.mails().map(({ to }) => to[0]),
    ['yes@example.com'],
  )
  const { sends } = expectStatus(await ws.admin.get('/sends?userId=no'), 200).data
  assert.deepEqual([sends[0].state, sends[0].reason], ['skipped', 'topicOptOut'])
})

test('a message can only name a topic that is there and is sent over its channels; one that names it keeps it', async () => {
  const ws = await workspace()
  expectStatus(await ws.admin.post('/message-topics', OFFERS), 201)
  const fault = async (answer: Promise<any>) => {
    const { status, body } = await answer
    return [status, body.error]
  }
  const unknown = 'there is no topic "old"'
  const wrongChannel = 'the topic "offers" is not sent over push'
  const campaign = { name: 'C', type: 'promo', dispatchChannels: ['push', 'email'] }
  assert.deepEqual(await fault(ws.admin.post('/campaigns', { ...campaign, topic: 'old' })), [400, `topic: ${unknown}`])
  assert.deepEqual(await fault(ws.admin.post('/campaigns', { ...campaign, topic: 'offers' })), [400, `topic: ${wrongChannel}`])
  assert.deepEqual(await fault(ws.admin.post('/campaigns', { ...campaign, topic: '' })), [
    400,
    'topic must be a text of 1 to 40 characters',
  ])
  const send = (topic: string, channel = 'email') => ({ id: 's', type: 'send', channel, topic, content: { en: { body: 'x' } } })
  const branch = { id: 'split', type: 'split', percent: 50, then: [send('old')], else: [] }
  assert.deepEqual(await fault(ws.admin.post('/journeys', { name: 'J', trigger: { type: 'manual' }, steps: [branch] })), [
    400,
    `steps[0].then[0].topic: ${unknown}`,
  ])
  assert.deepEqual(
    await fault(ws.admin.post('/notifications', { userId: 'U', channel: 'push', content: { body: 'x' }, topic: 'offers' })),
    [400, `topic: ${wrongChannel}`],
  )
  const { id } = await create(ws.admin, { dispatchChannels: ['email'], topic: 'offers' })
  const journey = await makeJourney(ws.admin, { steps: [send('offers')] })
  expectStatus(await ws.admin.delete('/message-topics/offers'), 200)
  const renamed = expectStatus(await ws.admin.put(`/campaigns/${id}`, { name: 'again', topic: 'offers' }), 200).data
  assert.deepEqual([renamed.name, renamed.topic], ['again', 'offers'])
  expectStatus(await ws.admin.put(`/journeys/${journey.id}`, { steps: [send('offers'), { id: 'end', type: 'exit' }] }), 200)
  assert.deepEqual(await fault(ws.admin.put(`/journeys/${journey.id}`, { steps: [send('offers', 'push')] })), [
    400,
    'steps[0].topic: there is no topic "offers"',
  ])
  const without = expectStatus(await ws.admin.put(`/campaigns/${id}`, { topic: null }), 200).data
  assert.equal(Object.hasOwn(without, 'topic'), false)
  assert.deepEqual(await fault(ws.admin.put(`/campaigns/${id}`, { topic: 'offers' })), [400, 'topic: there is no topic "offers"'])
})

test('topics stand in the document of a workspace before what names them', async () => {
  const [from, to] = [await workspace(), await workspace()]
  for (const topic of [NEWS, OFFERS]) expectStatus(await from.admin.post('/message-topics', topic), 201)
  await create(from.admin, { dispatchChannels: ['email'], topic: 'offers', schedule: { startTime: '2030-01-01T00:00:00Z' } })
  await makeJourney(from.admin, {
    steps: [{ id: 's', type: 'send', channel: 'push', topic: 'news', content: { en: { body: 'x' } } }],
  })
  const kinds = (await carry(from, to)).map(({ kind }) => kind)
  assert.ok(kinds.indexOf('topics') < kinds.indexOf('journeys'), kinds.join())
  assert.deepEqual(
    (await to.admin.get('/message-topics')).data.topics.map(({ id }: any) => id),
    ['news', 'offers'],
  )
  await refused(to, { topics: [{ ...NEWS, channels: [] }] }, /topics\[0\]: channels must be/)
  await apply(to, { topics: [OFFERS] })
  assert.deepEqual(
    (await to.admin.get('/message-topics')).data.topics.map(({ id }: any) => id),
    ['offers'],
  )
  const campaign = {
    id: 'c',
    name: 'C',
    type: 'p',
    dispatchChannels: ['email'],
    topic: 'news',
    schedule: { startTime: '2030-01-01T00:00:00Z' },
  }
  await refused(to, { campaigns: [campaign] }, /campaign "c": topic: there is no topic "news"/)
})
