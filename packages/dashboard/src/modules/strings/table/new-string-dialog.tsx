import { Autocomplete, Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { LIMITS } from '@contentflow/core/limits.ts'
import { DEFAULT_NAMESPACE } from '@contentflow/core/strings/plan-sync.ts'
import { useState } from 'react'
import { usePages, useWrite } from '../../../data.ts'
import { Failure } from '../../../ui/failure.tsx'
import { STALE, type Locale, type Namespace } from '../api.ts'
import { useLanguageName } from '../language-name.ts'
import { MessageField } from '../message-field.tsx'
import { useTexts } from '../texts.ts'
import { Dialog } from '../../../ui/dialog.tsx'

const EMPTY = { key: '', sourceText: '', namespace: DEFAULT_NAMESPACE, description: '' }

type NewStringDialogProps = { isOpen: boolean; onClose: () => void; source: Locale | undefined; onMade: (key: string) => void }

export function NewStringDialog({ isOpen, onClose, source, onMade }: NewStringDialogProps) {
  const t = useTexts()
  const nameOf = useLanguageName()
  const [form, setForm] = useState(EMPTY)
  const namespaces = usePages<Namespace>('/strings/namespaces', 'namespaces', { limit: 200 }, { when: isOpen }).items
  const set = (change: Partial<typeof EMPTY>) => setForm((before) => ({ ...before, ...change }))
  const make = useWrite<typeof EMPTY>((body) => ({ path: '/strings', method: 'POST', body }), {
    stale: STALE,
    done: t('stringMade'),
    showsError: true,
  })
  const close = () => {
    make.reset()
    onClose()
  }
  const submit = () =>
    make.mutate(form, {
      onSuccess: () => {
        setForm(EMPTY)
        onMade(form.key)
      },
    })
  return (
    <Dialog opened={isOpen} onClose={close} title={t('newString')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap="sm">
          <TextInput
            label={t('key')}
            description={t('keyHint')}
            required
            maxLength={LIMITS.stringKeyLength}
            dir="ltr"
            autoComplete="off"
            data-autofocus
            value={form.key}
            onChange={({ currentTarget }) => set({ key: currentTarget.value })}
          />
          <MessageField
            label={source ? t('sourceIn', { language: nameOf(source) }) : t('source')}
            isRequired
            minRows={2}
            locale={source}
            value={form.sourceText}
            onChange={(sourceText) => set({ sourceText })}
          />
          <Autocomplete
            label={t('namespace')}
            description={t('namespaceHint')}
            required
            maxLength={LIMITS.namespaceLength}
            data={namespaces.map(({ namespace }) => namespace)}
            value={form.namespace}
            onChange={(namespace) => set({ namespace })}
          />
          <Textarea
            label={t('description')}
            description={t('descriptionHint')}
            maxLength={LIMITS.stringDescriptionLength}
            autosize
            minRows={2}
            dir="auto"
            value={form.description}
            onChange={({ currentTarget }) => set({ description: currentTarget.value })}
          />
          {make.error && <Failure error={make.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={make.isPending}>
              {t('makeString')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
