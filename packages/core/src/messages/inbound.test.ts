import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readKeyword, readTwilioInbound, twilioAnswer } from './inbound.ts'

test('a keyword is the whole message, however it is written; in a sentence it is a word', () => {
  for (const [body, keyword] of [
    ['STOP', 'stop'],
    [' stop. ', 'stop'],
    ['"Stop!"', 'stop'],
    ['Unsubscribe', 'stop'],
    ['إيقاف', 'stop'],
    ['ايقاف', 'stop'],
    ['إلغاء', 'stop'],
    ['الغاء', 'stop'],
    ['إِيقَاف', 'stop'],
    ['START', 'start'],
    ['اشتراك', 'start'],
    ['help?', 'help'],
    ['مساعدة؟', 'help'],
    ['please stop by tomorrow', undefined],
    ['do not stop', undefined],
    ['', undefined],
    ['STOPP', undefined],
    ['constructor', undefined],
    ['s t o p', undefined],
  ] as const)
    assert.equal(readKeyword(body), keyword, body)
})

test('what Twilio posts: who wrote, and what; what it read of a keyword counts more than the words', () => {
  const form = (members: object) => new Map(Object.entries({ MessageSid: 'SM1', From: '+966500000001', Body: 'Hi', ...members }))
  assert.deepEqual(readTwilioInbound(form({})), { id: 'SM1', from: '+966500000001', body: 'Hi', keyword: undefined, isAnswered: false })
  assert.equal(readTwilioInbound(form({ From: 'whatsapp:+966500000001' }))?.from, '+966500000001')
  const optOut = readTwilioInbound(form({ Body: 'start', OptOutType: 'STOP' }))
  assert.deepEqual([optOut?.keyword, optOut?.isAnswered], ['stop', true])
  assert.equal(readTwilioInbound(form({ Body: 'x'.repeat(2_000) }))?.body.length, 1_600)
  for (const wrong of [{ From: 'MATJAR' }, { From: '' }, { MessageSid: '' }, { MessageSid: '../x' }])
    assert.equal(readTwilioInbound(form(wrong)), undefined, JSON.stringify(wrong))
  assert.equal(twilioAnswer(undefined), '<?xml version="1.0" encoding="UTF-8"?><Response></Response>')
  assert.match(twilioAnswer('A & B <c>'), /<Message>A &amp; B &lt;c&gt;<\/Message>/)
})
