/** Products in a mail: a person's own, and content of the workspace (decision 72). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../builders/builders.ts'
import { create, launch, read } from '../builders/campaigns.ts'
import { carry, exported } from '../builders/code.ts'
import { agreesToTracking, MAIL, shopWithMail } from '../builders/mails/mails.ts'
import { identify } from '../builders/people.ts'
import { addPeople } from '../builders/sends.ts'
import { startApp } from '../harness/start-app.ts'
import { CLICKS } from '../../src/modules/responses/tracked-links.ts'

const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: 'https://flow.example' })
const work = async () => void expectStatus(await app.operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)

const ALL = ['image', 'name', 'price', 'button']
const section = (source: unknown, more: object = {}) => ({ id: 'cart', type: 'products', source, columns: 2, limit: 3, show: ALL, ...more })
const mailWith = (source: unknown, more: object = {}) => ({
  ...MAIL,
  sections: [MAIL.sections[0], section(source, more), MAIL.sections.at(-1)],
  texts: onlyHello(),
})
function onlyHello() {
  return Object.fromEntries(
    Object.entries(MAIL.texts).map(([locale, { nodes, ...texts }]) => [locale, { ...texts, nodes: { hello: nodes['hello'] } }]),
  )
}
const campaign = (mail: unknown) => ({ content: {}, dispatchChannels: ['email'], mail })

test('the products of a person are shown in rows, as far as they are ones, with their links tracked by place', async () => {
  const { ws, editor, mailTo } = await shopWithMail(app)
  await addPeople(ws, ['U', 'V'])
  const cart = [
    { name: 'Socks <b>', image: 'https://img.example.com/a.png', price: 19.5, currency: 'SAR', url: 'https://shop.example.com/a' },
    { name: 'Free {{name}}', image: 'javascript:x', price: 'much', url: 'http://shop.example.com/b' },
    'no product',
    { price: 7 },
    { name: 'Third', currency: 'nothing', price: '7' },
    { name: 'Fourth' },
  ]
  await agreesToTracking(ws, 'U')
  await identify(ws.app, 'D U', 'U', { traits: { cart } })
  await identify(ws.app, 'D V', 'V', { traits: { cart: 'none' } })
  await launch(ws, editor, campaign(mailWith({ trait: 'cart' })))
  await work()
  const { html = '', text = '' } = mailTo('U') ?? {}
  assert.match(html, /Socks &lt;b&gt;/)
  assert.match(html, /<img src="https:\/\/img\.example\.com\/a\.png" alt="Socks &lt;b&gt;"/)
  assert.match(text, /SAR\s?19\.50/)
  assert.match(text, /Free \{\{name\}\}\n\nThird\n\n7/)
  assert.equal(/Fourth|javascript|http:\/\/shop|much/.test(html + text), false)
  assert.match(html, new RegExp(`href="https://flow\\.example${CLICKS}[^"]+"[^>]*>View<`))
  const none = mailTo('V')
  assert.match(none?.html ?? '', /Good news/)
  assert.equal(/View|Socks/.test(none?.html ?? ''), false)
})

test('whoever has no products gets no mail that is of nothing else', async () => {
  const { ws, editor, email } = await shopWithMail(app)
  await addPeople(ws, ['U'])
  const bare = { ...mailWith({ trait: 'cart' }), sections: [section({ trait: 'cart' })], texts: { en: { subject: 'S', nodes: {} } } }
  const { id } = await create(editor, campaign(bare))
  const { channels } = expectStatus(await editor.post(`/campaigns/${id}/preview`, {}), 200).data
  assert.deepEqual([channels.email.reachable, channels.email.skipped, email.mails()], [0, { noContent: 1 }, []])
})

test('content that is live stands in the mail in each language, as it was when the mail was stored', async () => {
  const { ws, editor, mailTo } = await shopWithMail(app)
  await addPeople(ws, ['U'])
  const fields = ['name', 'image', 'price', 'currency', 'url'].map((tag) => ({ id: `f-${tag}`, tag: `#${tag}`, name: tag, type: 'text' }))
  await ws.block('product', { fields })
  const values = {
    '#name': 'Scarf',
    '#image': 'https://img.example.com/s.png',
    '#price': '80',
    '#currency': 'SAR',
    '#url': 'https://shop.example.com/s',
  }
  const { id: live } = await ws.instance('product', { title: 'Scarf', values, translations: { ar: { '#name': 'وشاح' } } })
  const source = { block: 'product', instances: [live, 'nowhere'] }
  const drawn = expectStatus(await editor.post('/mails/render', { mail: mailWith(source), locale: 'ar' }), 200).data
  assert.match(drawn.html, /وشاح/)
  assert.match(drawn.text, /عرض: https:\/\/shop\.example\.com\/s/)
  const { id } = await launch(ws, editor, campaign(mailWith(source)))
  await work()
  assert.match(mailTo('U')?.text ?? '', /Scarf\n\nSAR\s?80\.00\n\nView: /)
  const stored = (await read(editor, id)).mail.sections[1].source
  assert.deepEqual([stored.items.en.length, stored.items.ar[0].name], [1, 'وشاح'])
  const { campaigns } = (await exported(ws, 'campaigns')).data
  assert.deepEqual(campaigns[0].mail.sections[1].source, source)
})

test('products that are wrong are refused with their place', async () => {
  const [ws, to] = [await app.workspace(), await app.workspace()]
  for (const [source, more, error] of [
    [{}, {}, 'mail.sections[1].source.instances must be an array of 1 to 12 ids'],
    [{ trait: '' }, {}, 'mail.sections[1].source.trait must be a text of 1 to 200 characters'],
    [{ trait: 'x' }, { columns: 4 }, 'mail.sections[1].columns must be 1, 2 or 3'],
    [{ trait: 'x' }, { limit: 13 }, /^mail\.sections\[1\]\.limit /],
    [{ trait: 'x' }, { show: ['all'] }, /^mail\.sections\[1\]\.show\[0\] /],
    [{ trait: 'x' }, { id: 'a b' }, /^mail\.sections\[1\]\.id /],
  ] as const) {
    const refused = await ws.admin.post('/campaigns', { name: 'x', type: 'promo', ...campaign(mailWith(source, more)) })
    assert.equal(refused.status, 400)
    if (typeof error === 'string') assert.equal(refused.body.error, error)
    else assert.match(refused.body.error, error)
  }
  await create(ws.admin, campaign(mailWith({ trait: 'cart' }, { showTo: 'All users' })))
  await carry(ws, to)
})
