/** A mail as it is made for each person: tokens filled, drawn as HTML and as plain text, every link tracked. */
import assert from 'node:assert/strict'
import { fillTexts } from '../../../packages/core/src/mail/fill-texts.ts'
import { mailBytes } from '../../../packages/core/src/mail/measure-mail.ts'
import { readMail } from '../../../packages/core/src/mail/read-document.ts'
import { toMessage } from '../../../packages/core/src/messages/compose.ts'
import { sanitizeHtml } from '../../../packages/server/src/modules/mails/sanitize-html.ts'
import { median, spread } from '../../lib/stats.mjs'

const SECTIONS = 20
const MOST_MS = 0.3

export const mailRenderFigure = { name: 'mail-render', run: measure }

const PERSON = {
  name: 'Sara',
  email: 'sara@example.com',
  phone: null,
  userId: 'u1',
  customAttributes: { city: 'Riyadh', total: 1_250 },
  enrichment: {},
  language: 'en',
}
const TRACKED = {
  link: (node, url) => `https://flow.example.com/r/${'x'.repeat(240)}${node}${url.length}`,
  pictureUrl: 'https://flow.example.com/o/x.gif',
}

async function measure(options) {
  const sections = sectionsMail()
  const html = htmlMail(sections)
  return [
    await rowOf('mail-render', 'of 20 sections', sections, options),
    await rowOf('mail-render-html', 'of own HTML of the same words', html, options),
  ]
}

async function rowOf(name, of, mail, { rounds, seconds, quiet }) {
  const ours = []
  const limits = []
  const message = make(mail)
  for (let round = 0; round < rounds; round++) {
    await quiet()
    limits.push(timeOf(() => JSON.stringify(message.html), seconds))
    ours.push(timeOf(() => make(mail), seconds))
  }
  const value = median(ours)
  return {
    name,
    what: `A mail ${of} for one person: 4 tokens filled, drawn as HTML and as text, every link tracked`,
    target: { most: MOST_MS, unit: 'ms' },
    value,
    spread: spread(ours, 3),
    ours: `${value.toFixed(3)} ms`,
    limit: `${median(limits).toFixed(3)} ms, JSON.stringify of a string of that size`,
    made: [`${message.html.length} characters of HTML, ${mailBytes(mail, 'en')} bytes with the longest links; one core.`],
  }
}

/** Milliseconds of one call. */
function timeOf(work, seconds) {
  for (let warm = 0; warm < 200; warm++) work()
  const began = performance.now()
  let calls = 0
  while (performance.now() - began < (seconds * 1_000) / 4) {
    for (let batch = 0; batch < 20; batch++) work()
    calls += 20
  }
  return (performance.now() - began) / calls
}

function make(document) {
  const filled = fillTexts(document.texts.en, PERSON, null)
  assert.ok(filled.ok)
  return toMessage(
    'email',
    { title: filled.texts.subject },
    {
      id: 'm1',
      to: PERSON.email,
      toName: PERSON.name,
      language: 'en',
      unsubscribeUrl: 'https://flow.example.com/u/1',
      callbackUrl: undefined,
      webAddress: 'https://shop.example.com',
      tracked: TRACKED,
      mail: { document, texts: filled.texts },
    },
  )
}

/** Two columns a section, each with a picture, a text with a link, and a button. */
function sectionsMail() {
  const nodes = {}
  const sections = Array.from({ length: SECTIONS }, (_, at) => ({
    id: `s${at}`,
    type: 'section',
    columns: ['a', 'b'].map((side) => {
      const id = `${side}${at}`
      nodes[`${id}i`] = { src: `https://img.example.com/${id}.png`, alt: 'A pair of shoes' }
      nodes[`${id}t`] = {
        blocks: [
          {
            p: [
              { v: at === 0 ? 'Hello {{name | friend}} of {{customAttributes.city}}. ' : 'Soft, light and made to last. ' },
              { v: 'More', url: `https://shop.example.com/${id}` },
            ],
          },
        ],
      }
      nodes[`${id}b`] = { label: 'Buy', url: `https://shop.example.com/${id}/buy` }
      return {
        width: 50,
        nodes: [
          { id: `${id}i`, type: 'image' },
          { id: `${id}t`, type: 'text' },
          { id: `${id}b`, type: 'button' },
        ],
      }
    }),
  }))
  const read = readMail('mail', { version: 1, kind: 'sections', sections, texts: { en: { subject: 'For you, {{name | friend}}', nodes } } })
  assert.ok(read.ok, read.error)
  return read.value
}

/** As somebody would bring it who had it drawn elsewhere. */
function htmlMail(document) {
  const { html } = toMessage(
    'email',
    {},
    {
      id: 'm1',
      to: '',
      toName: null,
      language: 'en',
      unsubscribeUrl: undefined,
      callbackUrl: undefined,
      webAddress: null,
      mail: { document, texts: document.texts.en },
    },
  )
  const clean = sanitizeHtml(html, 'mail')
  assert.ok(clean.ok, clean.error)
  const read = readMail('mail', { version: 1, kind: 'html', texts: { en: { subject: 'For you, {{name | friend}}', html: clean.html } } })
  assert.ok(read.ok, read.error)
  return read.value
}
