import { Autocomplete, Button, Collapse, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { LIMITS } from '@contentflow/core/limits.ts'
import { isRightToLeft, languageName } from '@contentflow/core/locale/languages.ts'
import { foldTag, languageTag } from '@contentflow/core/locale/language-tag.ts'
import { isLocaleCode } from '@contentflow/core/locale/pick-locale.ts'
import { useState } from 'react'
import { useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { Failure } from '../../../ui/failure.tsx'
import { STALE } from '../api.ts'
import { useTexts } from '../texts.ts'
import { Dialog } from '../../../ui/dialog.tsx'

/** Offered by name; any other code can be typed. */
const COMMON =
  'ar ar-SA ar-EG ar-AE bn de el en en-GB en-US es es-419 fa fil fr fr-CA he hi id it ja ko ku ms nl pl pt pt-BR ro ru sv sw ta th tr uk ur vi zh-Hans zh-Hant'.split(
    ' ',
  )

type Form = { asked: string; name: string; native: string; rtl: boolean | undefined }
const EMPTY: Form = { asked: '', name: '', native: '', rtl: undefined }

export function AddLanguageDialog({ isOpen, onClose, taken }: { isOpen: boolean; onClose: () => void; taken: string[] }) {
  const t = useTexts()
  const format = useFormat()
  const [form, setForm] = useState(EMPTY)
  const [hasMore, setMore] = useState(false)
  const set = (change: Partial<Form>) => setForm((before) => ({ ...before, ...change }))
  const labelOf = (code: string) => `${format.language(code)} (${code})`
  const offered = COMMON.filter((code) => !taken.some((known) => foldTag(known) === foldTag(code)))
  const code = offered.find((known) => labelOf(known) === form.asked) ?? languageTag(form.asked.trim())
  const isCode = isLocaleCode(code)
  const isTaken = taken.some((known) => foldTag(known) === foldTag(code))
  const rtl = form.rtl ?? isRightToLeft(code)
  const add = useWrite<void>(
    () => ({
      path: '/locales',
      method: 'POST',
      body: { code, rtl, ...(form.name && { name: form.name }), ...(form.native && { native: form.native }) },
    }),
    { stale: STALE, done: t('languageAdded', { language: isCode ? format.language(code) : code }), showsError: true },
  )
  const close = () => {
    add.reset()
    setForm(EMPTY)
    onClose()
  }
  return (
    <Dialog opened={isOpen} onClose={close} title={t('addLanguage')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate(undefined, { onSuccess: close })
        }}
      >
        <Stack gap="sm">
          <Autocomplete
            label={t('language')}
            description={t('languageHint')}
            required
            data-autofocus
            data={offered.map(labelOf)}
            value={form.asked}
            onChange={(asked) => set({ asked })}
            error={form.asked !== '' && isTaken ? t('languageTaken') : undefined}
          />
          {isCode && !isTaken && (
            <Text size="sm" c="dimmed" role="status">
              {t('languageWillBe', { name: languageName(code, 'en'), native: `\u2068${languageName(code, code)}\u2069`, code })}
            </Text>
          )}
          <Switch label={t('rightToLeft')} checked={rtl} onChange={({ currentTarget }) => set({ rtl: currentTarget.checked })} />
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => setMore(!hasMore)}
            aria-expanded={hasMore}
            style={{ alignSelf: 'flex-start' }}
          >
            {t('ownNames')}
          </Button>
          <Collapse expanded={hasMore}>
            <Stack gap="sm">
              <TextInput
                label={t('nameInEnglish')}
                maxLength={LIMITS.localeNameLength}
                value={form.name}
                onChange={({ currentTarget }) => set({ name: currentTarget.value })}
              />
              <TextInput
                label={t('nameInItself')}
                maxLength={LIMITS.localeNameLength}
                dir={rtl ? 'rtl' : 'ltr'}
                value={form.native}
                onChange={({ currentTarget }) => set({ native: currentTarget.value })}
              />
            </Stack>
          </Collapse>
          {add.error && <Failure error={add.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={add.isPending} disabled={!isCode || isTaken}>
              {t('add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
