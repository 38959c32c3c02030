/** A mail for tests and for looking at: one of every kind of section and node, in two languages. */
import type { MailDocument } from './document.ts'

export const EXAMPLE: MailDocument = {
  version: 1,
  kind: 'sections',
  sections: [
    {
      id: 'top',
      type: 'section',
      background: '#0f766e',
      columns: [{ width: 100, nodes: [{ id: 'hello', type: 'heading', level: 1, align: 'center' }] }],
    },
    {
      id: 'main',
      type: 'section',
      columns: [
        {
          width: 100,
          nodes: [
            { id: 'hero', type: 'image' },
            { id: 'intro', type: 'text' },
            { id: 'shop', type: 'button' },
          ],
        },
      ],
    },
    {
      id: 'two',
      type: 'section',
      columns: [
        {
          width: 50,
          nodes: [
            { id: 'left-image', type: 'image' },
            { id: 'left', type: 'text' },
          ],
        },
        {
          width: 50,
          nodes: [
            { id: 'right-image', type: 'image' },
            { id: 'right', type: 'text' },
          ],
        },
      ],
    },
    {
      id: 'end',
      type: 'section',
      keepColumns: true,
      columns: [
        {
          width: 30,
          nodes: [
            { id: 'line', type: 'divider' },
            { id: 'room', type: 'spacer', height: 24 },
          ],
        },
        { width: 70, nodes: [{ id: 'all', type: 'button', isWide: true, align: 'end' }] },
      ],
    },
    { id: 'footer', type: 'footer' },
  ],
  texts: {
    en: {
      subject: 'Your order, {{name | friend}}',
      preheader: 'It leaves today',
      nodes: {
        hello: { blocks: [{ p: [{ v: 'Good news, {{name | friend}}' }] }] },
        hero: { src: 'https://img.example.com/hero.png', alt: 'A parcel at a door', url: 'https://shop.example.com/orders' },
        intro: {
          blocks: [
            {
              p: [
                { v: 'Your parcel is ' },
                { v: 'on its way', b: true },
                { v: '. See ' },
                { v: 'where it is', url: 'https://shop.example.com/track?n={{name | friend}}' },
                { v: ' or read the answers below.' },
              ],
            },
            { ul: [[{ v: 'Nothing to sign' }], [{ v: 'Free to send back for ' }, { v: '30 days', i: true, color: '#b91c1c' }]] },
            { ol: [[{ v: 'Open' }], [{ v: 'Try' }]] },
          ],
        },
        shop: { label: 'See the order', url: 'https://shop.example.com/orders' },
        'left-image': { src: 'https://img.example.com/a.png', alt: '' },
        left: { blocks: [{ p: [{ v: 'Socks & <shoes>' }] }] },
        'right-image': { src: 'https://img.example.com/b.png', alt: 'A red scarf' },
        right: { blocks: [{ p: [{ v: 'Scarves' }] }] },
        all: { label: 'Everything new', url: '/new' },
      },
    },
    ar: {
      subject: 'طلبك يا {{name | صديقنا}}',
      nodes: {
        hello: { blocks: [{ p: [{ v: 'خبر سار يا {{name | صديقنا}}' }] }] },
        hero: { src: 'https://img.example.com/hero.png', alt: 'طرد عند الباب' },
        intro: { blocks: [{ p: [{ v: 'طلبك ' }, { v: 'في الطريق', b: true }, { v: ' إليك، ويصلك خلال يومين.' }] }] },
        shop: { label: 'عرض الطلب', url: 'https://shop.example.com/orders' },
        left: { blocks: [{ p: [{ v: 'جوارب' }] }] },
        right: { blocks: [{ p: [{ v: 'أوشحة' }] }] },
        all: { label: 'كل الجديد', url: '/new' },
      },
    },
  },
}
