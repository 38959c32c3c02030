import { Stack, Tabs, Text, Textarea, TextInput } from '@mantine/core'
import type { StepContent } from '@contentflow/core/journeys/journey.ts'
import { textsOf, type MessageContent, type MessageTexts, type WhatsappTemplate } from '@contentflow/core/messages/content.ts'
import type { Locale } from '@contentflow/server/wire.ts'
import { useRef, useState } from 'react'
import { isBlankTemplate } from '../../../ui/blank-template.ts'
import { InboxSwitch, withInbox } from '../../../ui/fields/inbox-switch.tsx'
import { ShortenSwitch, withShorten } from '../../../ui/fields/shorten-switch.tsx'
import { UrgencyField, withUrgency } from '../../../ui/fields/urgency-field.tsx'
import { WhatsappTemplateFields } from '../../../ui/whatsapp-template.tsx'
import { inLanguage } from '../../strings/api.ts'
import { useLanguageName } from '../../strings/language-name.ts'
import { saysNothing } from '../draft/faults.ts'
import { isAddress, withFollowers, withMessage } from '../draft/step-content.ts'
import { useEditor } from '../editor-context.tsx'
import { useTexts } from '../texts.ts'
import { Lockable } from './lockable.tsx'
import { TokenMenu } from './values/token-menu.tsx'
import { TokenWarnings } from './values/token-warnings.tsx'

type Kind = 'push' | 'email' | 'sms' | 'whatsapp' | 'in_app'
type ContentProps = { kind: Kind; content: StepContent; onChange: (content: StepContent, mark: string) => void }

/** The content of a message, one language at a time. */
export function ContentFields({ kind, content, onChange }: ContentProps) {
  const t = useTexts()
  const nameOf = useLanguageName()
  const { around } = useEditor()
  const locales = localesOf(around.locales ?? [], content)
  const [chosen, setChosen] = useState<string>()
  const current = locales.find(({ code }) => code === chosen) ?? locales[0]
  if (!current) return null
  const source = around.locales?.find((locale) => locale.source)
  const follow = (name: 'imageUrl' | 'ctaUrl', before: string) => {
    const next = source === undefined ? content : withFollowers(content, source.code, name, before)
    if (next !== content) onChange(next, `${source?.code} ${name}`)
  }
  return (
    <Tabs value={current.code} onChange={(code) => setChosen(code ?? undefined)} keepMounted={false}>
      <Tabs.List aria-label={t('languages')}>
        {locales.map((locale) => (
          <Tabs.Tab key={locale.code} value={locale.code}>
            {nameOf(locale)}
            {saysNothing(kind, content[locale.code] ?? {}) && (
              <>
                <span aria-hidden> ○</span>
                <span className="cf-visually-hidden"> {t('noText')}</span>
              </>
            )}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {locales.map((locale) => (
        <Tabs.Panel key={locale.code} value={locale.code} pt="sm">
          <Lockable>
            <MessageFields
              kind={kind}
              locale={locale}
              message={content[locale.code] ?? {}}
              source={source && { name: nameOf(source), isOpen: source.code === locale.code, message: content[source.code] ?? {} }}
              isBegun={locale.code in content}
              onChange={(member, message) => onChange(withMessage(content, locale.code, message, source?.code), `${locale.code} ${member}`)}
              onAddress={locale.code === source?.code ? follow : undefined}
            />
          </Lockable>
        </Tabs.Panel>
      ))}
      {(kind === 'sms' || kind === 'whatsapp') && (
        <Lockable>
          <ShortenSwitch content={content} onChange={(isShort) => onChange(withShorten(content, isShort, current.code), 'shorten')} />
        </Lockable>
      )}
      {kind === 'push' && (
        <Lockable>
          <UrgencyField content={content} onChange={(urgency) => onChange(withUrgency(content, urgency, current.code), 'urgency')} />
        </Lockable>
      )}
      {kind === 'in_app' && (
        <Lockable>
          <InboxSwitch content={content} onChange={(days) => onChange(withInbox(content, days, current.code), 'inbox')} />
        </Lockable>
      )}
    </Tabs>
  )
}

/** The languages of the workspace, the source language first; and whatever else the message is there in. */
function localesOf(known: readonly Locale[], content: StepContent): Pick<Locale, 'code' | 'name' | 'rtl'>[] {
  const source = known.filter((locale) => locale.source)
  const others = Object.keys(content).filter((code) => !known.some((locale) => locale.code === code))
  const all = [
    ...source,
    ...known.filter((locale) => !locale.source),
    ...others.map((code) => ({ code, name: code, rtl: code.startsWith('ar') })),
  ]
  return all.length > 0 ? all : [{ code: 'en', name: 'English', rtl: false }]
}

/** A text message is one text with the link after it. */
const MEMBERS: Record<Kind, readonly (keyof MessageTexts)[]> = {
  push: ['title', 'body', 'imageUrl', 'ctaUrl'],
  email: ['title', 'body', 'imageUrl', 'ctaLabel', 'ctaUrl'],
  sms: ['body', 'ctaUrl'],
  whatsapp: ['body', 'ctaUrl'],
  in_app: ['title', 'body', 'imageUrl', 'ctaLabel', 'ctaUrl'],
}

const ORDER: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error']

type FieldsProps = {
  kind: Kind
  locale: Pick<Locale, 'code' | 'rtl'>
  message: MessageContent
  /** The source language of the workspace, and what it says. */
  source: { name: string; isOpen: boolean; message: MessageContent } | undefined
  isBegun: boolean
  onChange: (member: string, message: MessageContent) => void
  /** Once an address is typed; what it was before. */
  onAddress: ((name: 'imageUrl' | 'ctaUrl', before: string) => void) | undefined
}

function MessageFields({ kind, locale, message, source, isBegun, onChange, onAddress }: FieldsProps) {
  const t = useTexts()
  const typedOver = useRef('')
  /** Where the next token goes: into the text that was written last. */
  const place = useRef<{ name: keyof MessageTexts; at: number }>(undefined)
  const insert = (token: string) => {
    const { name, at } = place.current ?? { name: members.includes('body') ? 'body' : (members[0] ?? 'body'), at: Infinity }
    const text = message[name] ?? ''
    onChange(name, { ...message, [name]: text.slice(0, at) + token + text.slice(at) })
    place.current = { name, at: Math.min(at, text.length) + token.length }
  }
  const labels = {
    title: t(kind === 'email' ? 'subject' : 'messageTitle'),
    body: t('text'),
    imageUrl: t('image'),
    ctaLabel: t('button'),
    ctaUrl: t('link'),
  }
  // Members that were written for another channel are shown, so that nothing is sent unseen.
  const members = (Object.keys(labels) as (keyof MessageTexts)[]).filter(
    (name) => MEMBERS[kind].includes(name) || (message[name] ?? '') !== '',
  )
  const propsOf = (name: keyof MessageTexts) => ({
    label: labels[name],
    value: message[name] ?? '',
    placeholder: hintOf(name),
    inputWrapperOrder: ORDER,
    onSelect: ({ currentTarget }: { currentTarget: { selectionEnd: number | null } }) =>
      (place.current = { name, at: currentTarget.selectionEnd ?? Infinity }),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(name, { ...message, [name]: currentTarget.value }),
  })
  const there: MessageContent = source && !source.isOpen ? source.message : {}
  const language = source?.name ?? ''
  const hintOf = (name: keyof MessageTexts) => {
    const text = there[name]
    if (!text) return isAddress(name) ? 'https://' : undefined
    return `\u2068${t(isBegun ? 'inLanguage' : 'fromLanguage', { language, text: `\u2068${text}\u2069` })}\u2069`
  }
  const addressProps = (name: 'imageUrl' | 'ctaUrl') => ({
    dir: 'ltr',
    type: 'url',
    description: there[name] && message[name] === there[name] ? t('takenFrom', { language }) : undefined,
    onFocus: () => (typedOver.current = message[name] ?? ''),
    onBlur: () => onAddress?.(name, typedOver.current),
  })
  const { whatsappTemplate, ...texts } = message
  const setTemplate = (next: WhatsappTemplate) =>
    onChange('whatsappTemplate', isBlankTemplate(next) ? texts : { ...texts, whatsappTemplate: next })
  return (
    <Stack gap="sm">
      {members.map((name) =>
        name === 'body' ? (
          <Textarea key={name} {...propsOf(name)} {...inLanguage(locale)} autosize minRows={3} maxRows={10} />
        ) : (
          <TextInput key={name} {...propsOf(name)} {...(isAddress(name) ? addressProps(name) : inLanguage(locale))} />
        ),
      )}
      {kind === 'whatsapp' && (
        <WhatsappTemplateFields
          template={whatsappTemplate}
          onChange={setTemplate}
          renderField={({ onChange: set, ...props }) => (
            <TextInput {...props} {...inLanguage(locale)} onChange={({ currentTarget }) => set(currentTarget.value)} />
          )}
        />
      )}
      <TokenMenu onPick={insert} />
      <TokenWarnings texts={textsOf(message)} />
      <Text size="xs" c="dimmed">
        {t('textHelp', { first: '{{name}}', second: '{{customAttributes.plan}}' })}
      </Text>
    </Stack>
  )
}
