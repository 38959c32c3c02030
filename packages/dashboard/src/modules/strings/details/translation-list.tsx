import { ActionIcon, Button, Divider, Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import { useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { STALE, translationPath, versionOf, type Drafted, type Locale, type StringItem } from '../api.ts'
import type { Approval } from '../approval.tsx'
import { useEdit, type Edits } from '../edits.ts'
import { useLanguageName } from '../language-name.ts'
import { LanguageTitle } from '../language-title.tsx'
import { MessageText } from '../message-forms.tsx'
import { PlaceholderWarnings } from '../placeholder-warnings.tsx'
import { StatusMark } from '../status-mark.tsx'
import { useTexts } from '../texts.ts'
import { TextHistory } from './text-history.tsx'
import { TranslationEditor } from '../translation-editor.tsx'

/** More are shown on request. */
const MOST_SHOWN = 8

type TranslationListProps = { item: StringItem; translated: Locale[]; edits: Edits; approval: Approval }

/** Every translation of a string. */
export function TranslationList({ item, translated, edits, approval }: TranslationListProps) {
  const t = useTexts()
  const [isWhole, setWhole] = useState(translated.length <= MOST_SHOWN)
  return (
    <Stack gap="sm">
      {translated.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('noLanguagesText')}
        </Text>
      )}
      {translated.slice(0, isWhole ? undefined : MOST_SHOWN).map((locale, index) => (
        <Fragment key={locale.code}>
          {index > 0 && <Divider />}
          <TranslationRow item={item} locale={locale} edits={edits} approval={approval} />
        </Fragment>
      ))}
      {!isWhole && (
        <Button variant="default" size="xs" onClick={() => setWhole(true)}>
          {t('allLanguages', { count: translated.length })}
        </Button>
      )}
    </Stack>
  )
}

function TranslationRow({ item, locale, edits, approval }: Omit<TranslationListProps, 'translated'> & { locale: Locale }) {
  const translation = item.translations[locale.code]
  const isEditing = useEdit(edits, { key: item.key, locale: locale.code }) !== undefined
  return (
    <Stack gap={6}>
      <Group gap="sm" justify="space-between">
        <LanguageTitle locale={locale} />
        <StatusMark status={translation?.status ?? 'missing'} drafted={translation?.drafted} />
      </Group>
      {isEditing ? (
        <TranslationEditor item={item} locale={locale} edits={edits} approval={approval} />
      ) : (
        <>
          {translation?.text != null && <MessageText text={translation.text} locale={locale} />}
          <PlaceholderWarnings warnings={translation?.warnings ?? []} />
          <TranslationActions item={item} locale={locale} edits={edits} approval={approval} />
        </>
      )}
    </Stack>
  )
}

function TranslationActions({ item, locale, edits, approval }: Omit<TranslationListProps, 'translated'> & { locale: Locale }) {
  const t = useTexts()
  const nameOf = useLanguageName()
  const { mayEdit } = useSession()
  const [isRemoving, setRemoving] = useState(false)
  const [draft, setDraft] = useState<Drafted['draft']>()
  const { text = null, status = 'missing', etag } = item.translations[locale.code] ?? {}
  const path = translationPath(item.key, locale.code)
  const ask = useWrite<void, Drafted>(() => ({ path: `${path}/draft`, method: 'POST' }), { stale: STALE })
  const remove = useWrite<void>(() => ({ path, method: 'DELETE', version: versionOf(etag) }), {
    stale: STALE,
    done: t('translationRemoved'),
  })
  if (!mayEdit) return <TextHistory textKey={item.key} locale={locale} etag={etag} />
  const target = { key: item.key, locale: locale.code }
  const names = { key: item.key, language: nameOf(locale) }
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t(text === null ? 'translateTo' : 'editTranslation', names)}
          onClick={() => edits.open(target, text ?? '', etag)}
        >
          {t(text === null ? 'translate' : 'edit')}
        </Button>
        {text === null && (
          <Button
            size="compact-sm"
            variant="default"
            loading={ask.isPending}
            onClick={() => ask.mutate(undefined, { onSuccess: (made) => setDraft(made.draft) })}
          >
            {t('draftFromMemory')}
          </Button>
        )}
        {text !== null && status === 'review' && (
          <Button
            size="compact-sm"
            loading={approval.isBusy}
            aria-label={t('approveTranslation', names)}
            onClick={() => approval.approve({ ...target, sourceText: item.sourceText, text, etag })}
          >
            {t('approve')}
          </Button>
        )}
        <TextHistory textKey={item.key} locale={locale} etag={etag} />
        {text !== null && (
          <Tooltip label={t('removeTranslation', names)}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('removeTranslation', names)}
              onClick={() => setRemoving(true)}
              ms="auto"
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      {draft && text !== null && <DraftOrigin draft={draft} />}
      <Confirm
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onConfirm={() => remove.mutate(undefined, { onSettled: () => setRemoving(false) })}
        title={t('removeTranslation', names)}
        action={t('delete')}
        isDangerous
        isBusy={remove.isPending}
      >
        {t('removeTranslationText')}
      </Confirm>
    </Stack>
  )
}

/** The origin of the server's proposal. */
function DraftOrigin({ draft: { source, similarity, fromKey } }: Pick<Drafted, 'draft'>) {
  const t = useTexts()
  const format = useFormat()
  return (
    <Text size="xs" c="dimmed" role="status">
      {source === 'memory'
        ? t('draftFrom', { key: `\u2066${fromKey ?? ''}\u2069`, percent: format.percent(similarity ?? 0) })
        : t('draftFromNothing')}
    </Text>
  )
}
