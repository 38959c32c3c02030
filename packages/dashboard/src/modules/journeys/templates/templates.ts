/** Journeys to start from: only what the definition of a journey can really do. */
import type { Journey, KeyedPattern, Step, StepContent } from '@contentflow/core/journeys/journey.ts'
import type { MessageContent } from '@contentflow/core/messages/content.ts'
import type { Rule } from '@contentflow/core/targeting/rule.ts'
import type { Locale } from '@contentflow/server/wire.ts'

export const TEMPLATES = [
  'welcome',
  'firstPurchase',
  'cart',
  'priceDropped',
  'booking',
  'trial',
  'winBack',
  'birthday',
  'ramadan',
  'blank',
] as const
export type TemplateName = (typeof TEMPLATES)[number]

type TemplateTexts = { en: MessageContent; ar: MessageContent }
const MINUTES = { hour: 60, day: 1_440 }

/** The name is in the language of the author; the texts are in the languages of the workspace. */
export function makeTemplate(template: TemplateName, name: string, locales: readonly Locale[]): Journey {
  const say = (said: TemplateTexts) => contentIn(said, locales)
  return { name: template === 'blank' ? '' : name, goal: null, ...MAKE[template](say) }
}

type Make = (say: (said: TemplateTexts) => StepContent) => Pick<Journey, 'trigger' | 'steps'> & Partial<Journey>

/** What apps are expected to report; the names can be changed in the editor. */
const BOUGHT = 'order_completed'
const ACTIVATED = 'trial_activated'

const MAKE: Record<TemplateName, Make> = {
  welcome: (say) => ({
    trigger: { type: 'event', eventType: 'SIGN_UP' },
    steps: [
      inApp(say(TEXTS.welcome)),
      wait(MINUTES.day),
      condition({ field: 'behavioral.conversions', operator: 'greater_than', value: 0 }, [exit()], [push(say(TEXTS.stillThere))]),
    ],
  }),
  winBack: (say) => ({
    trigger: { type: 'inactivity', days: 30 },
    steps: [
      push(say(TEXTS.missed)),
      wait(3 * MINUTES.day),
      condition({ field: 'metadata.lastSeenAt', operator: 'days_ago', value: 3 }, [exit()], [push(say(TEXTS.lastCall))]),
    ],
  }),
  firstPurchase: (say) => ({
    trigger: { type: 'custom_event', event: BOUGHT },
    goal: { event: BOUGHT, days: 60 },
    steps: [
      inApp(say(TEXTS.thanks)),
      wait(3 * MINUTES.day),
      push(say(TEXTS.howWasIt)),
      waitFor({ event: BOUGHT, timeoutMinutes: 30 * MINUTES.day }, [], [push(say(TEXTS.missed))]),
    ],
  }),
  cart: (say) => ({
    trigger: { type: 'custom_event', event: 'cart_updated', key: 'cartId' },
    entry: { policy: 'every_event', onRepeat: 'restart' },
    exitOn: [{ event: BOUGHT, sameKey: true }],
    goal: { event: BOUGHT, sameKey: true, days: 7 },
    steps: [wait(MINUTES.hour), push(say(TEXTS.cart)), wait(MINUTES.day), push(say(TEXTS.cartAgain))],
  }),
  priceDropped: (say) => ({
    trigger: { type: 'custom_event', event: 'price_dropped', key: 'productId' },
    entry: { policy: 'every_event', minGapMinutes: MINUTES.day },
    exitOn: [{ event: BOUGHT }],
    goal: { event: BOUGHT, days: 7 },
    steps: [push(say(TEXTS.cheaper)), wait(MINUTES.day), inApp(say(TEXTS.stillCheaper))],
  }),
  booking: (say) => ({
    trigger: { type: 'custom_event', event: 'booking_started', key: 'bookingId' },
    entry: { policy: 'every_event' },
    exitOn: [{ event: 'booking_cancelled', sameKey: true }],
    goal: { event: 'booking_completed', sameKey: true, days: 7 },
    steps: [
      waitFor(
        { event: 'booking_completed', sameKey: true, timeoutMinutes: 2 * MINUTES.hour },
        [inApp(say(TEXTS.booked))],
        [push(say(TEXTS.notBooked))],
      ),
    ],
  }),
  trial: (say) => ({
    trigger: { type: 'custom_event', event: 'trial_started' },
    goal: { event: ACTIVATED, days: 14 },
    steps: [
      waitFor(
        { event: ACTIVATED, timeoutMinutes: MINUTES.day },
        [inApp(say(TEXTS.activated))],
        [
          push(say(TEXTS.notActivated)),
          waitFor({ event: ACTIVATED, timeoutMinutes: 3 * MINUTES.day }, [inApp(say(TEXTS.activated))], [push(say(TEXTS.needHelp))]),
        ],
      ),
    ],
  }),
  ramadan: (say) => ({
    trigger: { type: 'hijri', event: 'ramadan_start' },
    steps: [inApp(say(TEXTS.ramadan)), push(say(TEXTS.ramadan))],
  }),
  birthday: (say) => ({
    trigger: { type: 'date', trait: 'birthday', daysBefore: 0, hour: 9 },
    steps: [inApp(say(TEXTS.birthday)), push(say(TEXTS.birthday))],
  }),
  blank: () => ({ trigger: { type: 'event', eventType: 'SIGN_UP' }, steps: [] }),
}

const TEXTS = {
  welcome: {
    en: { title: 'Welcome', body: 'Good to have you here.' },
    ar: { title: 'أهلًا وسهلًا', body: 'سعدنا بانضمامك.' },
  },
  stillThere: {
    en: { title: 'Found something you like?', body: 'Your first order is waiting.' },
    ar: { title: 'هل وجدت ما يعجبك؟', body: 'طلبك الأول بانتظارك.' },
  },
  missed: {
    en: { title: 'It has been a while', body: 'See what is new.' },
    ar: { title: 'مضى وقت طويل', body: 'لدينا جديد بانتظارك.' },
  },
  lastCall: {
    en: { title: 'Something for your return', body: 'Open the app to see your offer.' },
    ar: { title: 'عرض بمناسبة عودتك', body: 'العرض بانتظارك في التطبيق.' },
  },
  cart: {
    en: { title: 'Your cart is waiting', body: 'Complete your order before it sells out.' },
    ar: { title: 'سلتك بانتظارك', body: 'يمكنك إكمال الطلب قبل نفاد الكمية.' },
  },
  cartAgain: {
    en: { title: 'Still thinking about it?', body: 'Your cart is kept for you.' },
    ar: { title: 'ما زلت تفكر؟', body: 'سلتك محفوظة لك.' },
  },
  thanks: {
    en: { title: 'Thank you for your first order', body: 'We will tell you when it is on its way.' },
    ar: { title: 'شكرًا على طلبك الأول', body: 'نخبرك حين يكون في الطريق إليك.' },
  },
  howWasIt: {
    en: { title: 'How was your order?', body: 'Tell us in the app; it takes a minute.' },
    ar: { title: 'كيف كان طلبك؟', body: 'رأيك يهمنا، ولا يستغرق سوى دقيقة في التطبيق.' },
  },
  cheaper: {
    en: { title: '{{event.productName}} costs less now', body: 'It is {{event.price}}, as long as there are some.' },
    ar: { title: 'انخفض سعر {{event.productName}}', body: 'السعر الآن {{event.price}} حتى نفاد الكمية.' },
  },
  stillCheaper: {
    en: { title: 'The lower price still holds', body: '{{event.productName}}: {{event.price}}' },
    ar: { title: 'السعر المخفّض ما زال ساريًا', body: '{{event.productName}}: {{event.price}}' },
  },
  booked: {
    en: { title: 'Your booking is complete', body: 'You find it in the app at any time.' },
    ar: { title: 'اكتمل حجزك', body: 'تجده في التطبيق في أي وقت.' },
  },
  notBooked: {
    en: { title: 'Your booking is not complete', body: 'A few steps are left, then the place is yours.' },
    ar: { title: 'حجزك لم يكتمل', body: 'بقيت خطوات قليلة ليصبح المكان لك.' },
  },
  activated: {
    en: { title: 'All set', body: 'Your trial is active. Here is what to try first.' },
    ar: { title: 'كل شيء جاهز', body: 'فترتك التجريبية مفعّلة. إليك ما تبدأ به.' },
  },
  notActivated: {
    en: { title: 'Your trial is waiting', body: 'Activate it in one step and begin.' },
    ar: { title: 'فترتك التجريبية بانتظارك', body: 'يمكن تفعيلها بخطوة واحدة.' },
  },
  needHelp: {
    en: { title: 'Can we help you begin?', body: 'Answer here, and we set it up with you.' },
    ar: { title: 'هل نساعدك على البدء؟', body: 'يكفي الرد هنا لنجهّزها معك.' },
  },
  ramadan: {
    en: { title: 'Ramadan Mubarak', body: 'May this month bring you and your family peace.' },
    ar: { title: 'رمضان مبارك', body: 'كل عام وأنتم بخير.' },
  },
  birthday: {
    en: { title: 'Happy birthday', body: 'We wish you a wonderful year.' },
    ar: { title: 'عيد ميلاد سعيد', body: 'نتمنى لك عامًا سعيدًا.' },
  },
} satisfies Record<string, TemplateTexts>

/** Texts in the languages of the workspace that the template has; in English under the source language when it has none of them. */
function contentIn(said: TemplateTexts, locales: readonly Locale[]): StepContent {
  const entries = locales.flatMap(({ code }): [string, MessageContent][] => {
    const language = code.split('-')[0]
    return language === 'en' || language === 'ar' ? [[code, said[language]]] : []
  })
  const source = locales.find((locale) => locale.source)?.code ?? 'en'
  return Object.fromEntries(entries.length > 0 ? entries : [[source, said.en]])
}

function wait(minutes: number): Step {
  return { id: crypto.randomUUID(), type: 'wait', minutes }
}
function inApp(content: StepContent): Step {
  return { id: crypto.randomUUID(), type: 'in_app', content }
}
function push(content: StepContent): Step {
  return { id: crypto.randomUUID(), type: 'send', channel: 'push', content }
}
function waitFor(pattern: KeyedPattern & { timeoutMinutes: number }, came: Step[], otherwise: Step[]): Step {
  return { id: crypto.randomUUID(), type: 'wait_for', ...pattern, then: came, else: otherwise }
}
function exit(): Step {
  return { id: crypto.randomUUID(), type: 'exit' }
}
function condition(rule: Rule, met: Step[], otherwise: Step[]): Step {
  return { id: crypto.randomUUID(), type: 'condition', rule: { logicalOperator: 'AND', rules: [rule] }, then: met, else: otherwise }
}
