import { Checkbox, Group, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { CHANNEL_TYPES } from '@contentflow/core/channels/channel.ts'
import { TOPIC_MODES } from '@contentflow/core/identity/consent/topics.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { MessageTopic } from '@contentflow/server/wire.ts'
import { useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { useTopicTexts } from './texts.ts'
import { TOPICS } from '../../../ui/topics/use-topics.ts'

/** Languages that the page of preferences speaks; names in others stay as they are. */
const LANGUAGES = ['en', 'ar'] as const

type TopicFormProps = {
  /** Undefined: a new one. */
  topic: MessageTopic | undefined
  onClose: () => void
}
type Draft = Pick<MessageTopic, 'id' | 'names' | 'descriptions' | 'channels' | 'mode' | 'position'>
const BLANK: Draft = { id: '', names: {}, descriptions: {}, channels: ['email'], mode: 'opt_out', position: 0 }

export function TopicForm({ topic, onClose }: TopicFormProps) {
  const t = useTopicTexts()
  const [draft, setDraft] = useState<Draft>(topic ?? BLANK)
  const [isChecked, setChecked] = useState(false)
  const save = useWrite<object>(
    (body) => (topic ? { method: 'PUT', path: `${TOPICS}/${topic.id}`, body } : { method: 'POST', path: TOPICS, body }),
    { stale: [TOPICS], done: t('saved'), showsError: true },
  )
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const names = written(draft.names)
  const faults = {
    id: topic || /^[A-Za-z][\w-]{0,39}$/.test(draft.id) ? undefined : t('faultId'),
    names: Object.keys(names).length > 0 ? undefined : t('faultName'),
    channels: draft.channels.length > 0 ? undefined : t('faultChannels'),
  }
  const shown = (fault: string | undefined) => (isChecked ? fault : undefined)
  const submit = () => {
    setChecked(true)
    if (Object.values(faults).some((fault) => fault !== undefined)) return
    const { id, channels, mode, position } = draft
    save.mutate({ id, names, descriptions: written(draft.descriptions), channels, mode, position }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={t(topic ? 'editTitle' : 'addTitle')}
      action={t(topic ? 'save' : 'add')}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={submit}
      onClose={onClose}
    >
      {!topic && (
        <TextInput
          label={t('id')}
          description={t('idText')}
          value={draft.id}
          onChange={({ currentTarget }) => change({ id: currentTarget.value })}
          error={shown(faults.id)}
          maxLength={LIMITS.topicIdLength}
          dir="ltr"
          withAsterisk
          data-autofocus
        />
      )}
      <WordFields draft={draft} fault={shown(faults.names)} onChange={change} />
      <Checkbox.Group
        label={t('channels')}
        description={t('channelsText')}
        value={draft.channels}
        onChange={(chosen) => change({ channels: CHANNEL_TYPES.filter((channel) => chosen.includes(channel)) })}
        error={shown(faults.channels)}
        withAsterisk
      >
        <Group mt="xs">
          {CHANNEL_TYPES.map((channel) => (
            <Checkbox key={channel} value={channel} label={t(`channel_${channel}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      <Radio.Group
        label={t('mode')}
        value={draft.mode}
        onChange={(mode) => change({ mode: TOPIC_MODES.find((each) => each === mode) ?? draft.mode })}
      >
        <Group mt="xs">
          {TOPIC_MODES.map((mode) => (
            <Radio key={mode} value={mode} label={t(mode)} />
          ))}
        </Group>
      </Radio.Group>
      <NumberField
        label={t('position')}
        value={draft.position}
        onChange={(position) => change({ position: position ?? 0 })}
        min={LIMITS.topicPosition.min}
        max={LIMITS.topicPosition.max}
        isWhole
      />
    </FormDialog>
  )
}

type WordFieldsProps = { draft: Draft; fault: string | undefined; onChange: (part: Partial<Draft>) => void }

function WordFields({ draft, fault, onChange }: WordFieldsProps) {
  const t = useTopicTexts()
  const format = useFormat()
  return LANGUAGES.map((language) => (
    <Stack key={language} gap="xs">
      <TextInput
        label={t('nameIn', { language: format.language(language) })}
        value={draft.names[language] ?? ''}
        onChange={({ currentTarget }) => onChange({ names: { ...draft.names, [language]: currentTarget.value } })}
        error={fault}
        maxLength={LIMITS.topicNameLength}
        dir={language === 'ar' ? 'rtl' : 'ltr'}
        lang={language}
      />
      <Textarea
        label={t('descriptionIn', { language: format.language(language) })}
        value={draft.descriptions[language] ?? ''}
        onChange={({ currentTarget }) => onChange({ descriptions: { ...draft.descriptions, [language]: currentTarget.value } })}
        maxLength={LIMITS.topicDescriptionLength}
        dir={language === 'ar' ? 'rtl' : 'ltr'}
        lang={language}
        rows={2}
      />
    </Stack>
  ))
}

/** Without what is empty. */
function written(texts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''))
}
