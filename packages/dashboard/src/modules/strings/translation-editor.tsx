import { Button, Group, Kbd, Stack, Text } from '@mantine/core'
import { comparePlaceholders, readPlaceholders } from '@contentflow/core/strings/placeholders.ts'
import { numberOf, readForms } from '@contentflow/core/strings/text-forms.ts'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { call, type ApiError } from '../../api.ts'
import { useWrite } from '../../data.ts'
import { useSession } from '../../session.tsx'
import { Failure } from '../../ui/failure.tsx'
import { useConflict } from '../../ui/unsaved/use-conflict.ts'
import { STALE, translationPath, versionOf, type Locale, type StringItem } from './api.ts'
import type { Approval } from './approval.tsx'
import { useEdit, type Edits } from './edits.ts'
import { useLanguageName } from './language-name.ts'
import { isOtherEmpty, MessageField } from './message-field.tsx'
import { PlaceholderWarnings } from './placeholder-warnings.tsx'
import { TextConflict, type Theirs } from './text-conflict.tsx'
import { useTexts } from './texts.ts'

type TranslationEditorProps = {
  item: Pick<StringItem, 'key' | 'sourceText'>
  locale: Locale
  edits: Edits
  approval: Approval
  /** Saved, approved or left. */
  onClosed?: () => void
}

/**
 * One translation being typed. Enter saves it for review, with Ctrl it approves, with Shift it begins a line; Escape
 * leaves. What was typed stays until the server has it.
 */
export function TranslationEditor({ item, locale, edits, approval, onClosed }: TranslationEditorProps) {
  const t = useTexts()
  const nameOf = useLanguageName()
  const target = { key: item.key, locale: locale.code }
  const { text = '', before = '', etag } = useEdit(edits, target) ?? {}
  const { workspace } = useSession()
  const path = translationPath(item.key, locale.code)
  const { theirs, setTheirs, meet, ...conflict } = useConflict<Theirs>(path)
  const [error, setError] = useState<Error | null>(null)
  const shownError = error ?? conflict.error
  const [isEmptied, setEmptied] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const source = useMemo(() => readPlaceholders(item.sourceText), [item.sourceText])
  const warnings = useMemo(() => comparePlaceholders(source, readPlaceholders(text), locale.code), [source, text, locale.code])
  const argument = useMemo(() => argumentOf(item.sourceText), [item.sourceText])
  const save = useWrite<{ typed: string; version: string | undefined }>(
    ({ typed, version }) => ({ path, method: 'PUT', body: { text: typed }, version }),
    { stale: STALE, showsError: true },
  )
  useEffect(() => {
    const area = field.current
    area?.focus()
    area?.setSelectionRange(area.value.length, area.value.length)
  }, [])

  const close = () => {
    edits.close(target)
    onClosed?.()
  }
  /** Text that was typed during the save stays, now on top of the stored text. */
  const stored = (sent: string) => {
    if (edits.saved(target, sent)) return onClosed?.()
    call<Theirs>(path, { workspaceId: workspace.id }).then(({ data }) => {
      if (data.text !== sent) setTheirs(data)
      else if (edits.saved(target, sent, data.etag)) onClosed?.()
    }, setError)
  }
  /** Another member saved first: both texts are shown. */
  const refused = (refusal: ApiError) => {
    if (!meet(refusal)) setError(refusal)
  }
  const submit = (isApproved: boolean, known = etag) => {
    setError(null)
    if (save.isPending || approval.isBusy) return
    if (text.trim() === '') return setEmptied(true)
    const forms = readForms(text)
    // The error is shown at its field.
    if (forms && isOtherEmpty(forms)) return
    if (isApproved)
      return approval.approve({
        ...target,
        sourceText: item.sourceText,
        text,
        etag: known,
        isTyped: true,
        onDone: () => stored(text),
        onError: refused,
      })
    // Saving an unchanged text would send an approved one to review for nothing.
    if (text === before && !theirs) return close()
    // Not the callbacks of `mutate`: they are lost when the row leaves a filtered list.
    save.mutateAsync({ typed: text, version: versionOf(known) }).then(() => stored(text), refused)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    // Buttons keep their own keys.
    if (!(event.target instanceof HTMLTextAreaElement)) return
    // Enter and Escape of an input method choose a word.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      close()
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      submit(event.ctrlKey || event.metaKey)
    }
  }
  return (
    <Stack gap={6} miw={0} onKeyDown={onKeyDown}>
      <MessageField
        fieldRef={field}
        label={t('translationOf', { key: item.key, language: nameOf(locale) })}
        isLabelHidden
        locale={locale}
        value={text}
        argument={argument}
        onChange={(typed) => {
          setEmptied(false)
          edits.type(target, typed)
        }}
        minRows={2}
        error={isEmptied && t('emptyTranslation')}
      />
      <div aria-live="polite">
        <PlaceholderWarnings warnings={text === '' ? [] : warnings} />
      </div>
      {shownError && <Failure error={shownError} />}
      {theirs && (
        <TextConflict
          mine={text}
          theirs={theirs}
          locale={locale}
          isBusy={save.isPending || approval.isBusy}
          onMine={() => submit(false, theirs.etag)}
          onTheirs={close}
        />
      )}
      <Group gap={6}>
        <Button size="compact-sm" loading={save.isPending} onClick={() => submit(false)}>
          {t('saveForReview')}
        </Button>
        <Button size="compact-sm" variant="light" loading={approval.isBusy} onClick={() => submit(true)}>
          {t('approve')}
        </Button>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={close}>
          {t('leave')}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" visibleFrom="md">
        <Kbd size="xs">Enter</Kbd> {t('keySave')} · <Kbd size="xs">Ctrl Enter</Kbd> {t('keyApprove')} · <Kbd size="xs">Esc</Kbd>{' '}
        {t('keyLeave')}
      </Text>
    </Stack>
  )
}

/** The number that a plural in the place of the source text is of; null where it names none. */
function argumentOf(sourceText: string): string | null {
  const forms = readForms(sourceText)
  return (forms && forms.type !== 'select' ? forms.argument : numberOf(sourceText)) ?? null
}
