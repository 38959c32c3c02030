/** Journeys to start from: only what the definition of a journey can really do. */
import type { Journey, Step, StepContent } from '@contentflow/core/journeys/journey.ts'
import type { MessageContent } from '@contentflow/core/messages/content.ts'
import type { Rule } from '@contentflow/core/targeting/rule.ts'
import type { Locale } from '@contentflow/server/wire.ts'

export const TEMPLATES = ['welcome', 'winBack', 'cart', 'ramadan', 'birthday', 'blank'] as const
export type TemplateName = (typeof TEMPLATES)[number]

type TemplateTexts = { en: MessageContent; ar: MessageContent }
const MINUTES = { hour: 60, day: 1_440 }

/** The name is in the language of the author; the texts are in the languages of the workspace. */
export function makeTemplate(template: TemplateName, name: string, locales: readonly Locale[]): Journey {
  const say = (said: TemplateTexts) => contentIn(said, locales)
  return { name: template === 'blank' ? '' : name, goal: null, ...MAKE[template](say) }
}

type Make = (say: (said: TemplateTexts) => StepContent) => Pick<Journey, 'trigger' | 'steps'>

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
  cart: (say) => ({
    trigger: { type: 'segment_entry', segment: '' },
    steps: [
      wait(MINUTES.hour),
      condition({ field: 'customAttributes.cartItems', operator: 'greater_than', value: 0 }, [push(say(TEXTS.cart))], []),
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
function exit(): Step {
  return { id: crypto.randomUUID(), type: 'exit' }
}
function condition(rule: Rule, met: Step[], otherwise: Step[]): Step {
  return { id: crypto.randomUUID(), type: 'condition', rule: { logicalOperator: 'AND', rules: [rule] }, then: met, else: otherwise }
}
