import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { masked } from '@contentflow/core/channels/configuration.ts'
import { describe, PROVIDERS } from '@contentflow/core/channels/providers.ts'
import { changesOf, faultOfDraft, valuesOf } from './channel-draft.ts'

const SMTP = masked({ host: 'smtp.example.com', port: 587, username: 'news', password: 'secret', from: 'a@example.com', secure: false })

test('M-CHAN-08 what is not touched is not sent, and secrets are never in the form', () => {
  const values = valuesOf('smtp', SMTP)
  assert.equal(values['password'], '')
  assert.equal(values['secure'], false)
  assert.deepEqual(changesOf('smtp', values, SMTP), {})
  assert.deepEqual(changesOf('smtp', { ...values, port: '465', fromName: ' Shop ' }, SMTP), { port: 465, fromName: 'Shop' })
  assert.deepEqual(changesOf('smtp', { ...values, password: 'new' }, SMTP), { password: 'new' })
})

test('a member that is emptied is taken away, a password with its name', () => {
  assert.deepEqual(changesOf('smtp', { ...valuesOf('smtp', SMTP), port: '' }, SMTP), { port: null })
  const changes = changesOf('smtp', { ...valuesOf('smtp', SMTP), username: '' }, SMTP)
  assert.deepEqual(changes, { username: null, password: null })
  assert.equal(faultOfDraft('smtp', changes, SMTP), undefined)
})

test('a fault names the member and its kind', () => {
  const faultOf = (change: object, provider: 'smtp' | 'twilio' | 'fcm' = 'smtp', stored = provider === 'smtp' ? SMTP : undefined) =>
    faultOfDraft(provider, changesOf(provider, { ...valuesOf(provider, stored), ...change }, stored), stored)
  assert.deepEqual(faultOf({ host: '' }), { member: 'host', kind: 'missing' })
  assert.deepEqual(faultOf({ port: 'x' }), { member: 'port', kind: 'number', from: 1, to: 65_535 })
  assert.deepEqual(faultOf({ port: '0' }), { member: 'port', kind: 'number', from: 1, to: 65_535 })
  assert.deepEqual(faultOf({ from: 'nobody' }), { member: 'from', kind: 'sender' })
  assert.deepEqual(faultOf({ host: 'smtp.other.example' }), { member: 'password', kind: 'again' })
  assert.equal(faultOf({ host: 'smtp.other.example', password: 'secret' }), undefined)
  assert.deepEqual(faultOf({ accountSid: 'AC1', authToken: 't' }, 'twilio'), { member: 'from', kind: 'together' })
  assert.deepEqual(faultOf({ serviceAccount: 'no JSON' }, 'fcm'), { member: 'serviceAccount', kind: 'object' })
  assert.deepEqual(faultOf({ serviceAccount: '{"project_id":"p"}' }, 'fcm'), { member: 'serviceAccount.client_email', kind: 'missing' })
})

test('every member of every provider has a word in both languages', () => {
  const texts = readFileSync(new URL('texts-providers.ts', import.meta.url), 'utf8')
  const members = PROVIDERS.flatMap((provider) => describe(provider).members.map(({ name }) => name))
  for (const member of new Set(members))
    assert.equal(texts.match(new RegExp(`^ +member_${member}: `, 'gm'))?.length, 2, `member_${member} in texts-providers.ts`)
})
