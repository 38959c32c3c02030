import { ActionIcon, Button, Group, Stack, TextInput, Tooltip } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { WhatsappTemplate } from '@contentflow/core/messages/content.ts'
import { defineTexts } from '../i18n.ts'
import { isBlankTemplate } from './blank-template.ts'

const useTexts = defineTexts('whatsapp-template', {
  en: {
    template: 'WhatsApp template',
    templateHelp:
      'The Content SID (HX…) of an approved template. Outside of a conversation WhatsApp takes nothing else. With one, WhatsApp gets the template and not the texts.',
    variable: 'Variable {{name}}',
    add: 'Add variable',
    remove: 'Remove variable {{name}}',
  },
  ar: {
    template: 'قالب واتساب',
    templateHelp:
      'معرّف Content SID (\u2066HX…\u2069) لقالب معتمد. خارج المحادثة لا يقبل واتساب غيره. عند تحديده يُرسل القالب عبر واتساب بدل النصوص.',
    variable: 'متغيّر القالب {{name}}',
    add: 'إضافة متغيّر',
    remove: 'إزالة متغيّر القالب {{name}}',
  },
})

type TemplateProps = {
  template: WhatsappTemplate | undefined
  onChange: (template: WhatsappTemplate) => void
  error?: string | undefined
  /** One text of the template, drawn as the page draws its texts. */
  renderField: (props: { label: string; value: string; onChange: (value: string) => void }) => ReactNode
}

const NONE: WhatsappTemplate = { id: '' }

/** The template that goes over WhatsApp, and what its variables are filled with. Their names stay as they are; new ones are numbered. */
export function WhatsappTemplateFields({ template = NONE, onChange, error, renderField }: TemplateProps) {
  const t = useTexts()
  const variables = Object.entries(template.variables ?? {})
  const set = (next: [string, string][]) => onChange({ ...template, variables: Object.fromEntries(next) })
  const add = () => {
    const names = new Set(variables.map(([name]) => name))
    const number = [...names, ''].findIndex((_, index) => !names.has(String(index + 1)))
    set([...variables, [String(number + 1), '']])
  }
  return (
    <Stack gap="xs" role="group" aria-label={t('template')}>
      <TextInput
        label={t('template')}
        description={t('templateHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={template.id}
        onChange={({ currentTarget }) => onChange({ ...template, id: currentTarget.value.trim() })}
        error={error}
        maxLength={100}
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
      />
      {variables.map(([name, text]) => (
        <Group key={name} gap="xs" align="flex-end" wrap="nowrap">
          <div style={{ flex: 1, minWidth: 0 }}>
            {renderField({
              label: t('variable', { name }),
              value: text,
              onChange: (value) => set(variables.map((each) => (each[0] === name ? [name, value] : each))),
            })}
          </div>
          <Tooltip label={t('remove', { name })}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t('remove', { name })}
              onClick={() => set(variables.filter((each) => each[0] !== name))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </Group>
      ))}
      {!isBlankTemplate(template) && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={add}
          style={{ alignSelf: 'flex-start' }}
        >
          {t('add')}
        </Button>
      )}
    </Stack>
  )
}
