import { Alert, Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { isVersionChanged, useConflict } from '../../../ui/unsaved/use-conflict.ts'
import { pathOf, STALE, versionOf, type Locale, type StringItem } from '../api.ts'
import { useEdit, type Edits } from '../edits.ts'
import { useLanguageName } from '../language-name.ts'
import { MessageField } from '../message-field.tsx'
import { TextConflict } from '../text-conflict.tsx'
import { useTexts } from '../texts.ts'

const MEMBERS = ['sourceText', 'description', 'namespace'] as const
type Member = (typeof MEMBERS)[number]

/** The source text and notes for translators. Another source text sends the translations to review, and the form says so first. */
export function DetailsForm({ item, source, edits }: { item: StringItem; source: Locale | undefined; edits: Edits }) {
  const t = useTexts()
  const nameOf = useLanguageName()
  const { mayEdit } = useSession()
  const targetOf = (member: Member) => ({ key: item.key, locale: `#${member}` })
  const edited = {
    sourceText: useEdit(edits, targetOf('sourceText')),
    description: useEdit(edits, targetOf('description')),
    namespace: useEdit(edits, targetOf('namespace')),
  }
  const typed = (member: Member) => edited[member]?.text ?? item[member]
  const changed = MEMBERS.filter((member) => typed(member) !== item[member])
  const toReview = Object.values(item.translations).filter(({ status }) => status === 'ok').length
  const { theirs, setTheirs, meet } = useConflict<StringItem>(pathOf(item.key))
  const save = useWrite<{ body: Partial<Record<Member, string>>; version: string | undefined }, StringItem>(
    ({ body, version }) => ({ path: pathOf(item.key), method: 'PUT', body, version }),
    { stale: STALE, done: t('saved'), showsError: true },
  )
  const forget = () => {
    MEMBERS.forEach((member) => edits.close(targetOf(member)))
    setTheirs(undefined)
  }
  /** Text that was typed during the save stays. */
  const settle = (sent: Partial<Record<Member, string>>, { etag }: StringItem) => {
    for (const member of MEMBERS) {
      const text = sent[member]
      if (text !== undefined) edits.saved(targetOf(member), text, member === 'sourceText' ? etag : undefined)
    }
    setTheirs(undefined)
  }
  const submit = (etag = edited.sourceText?.etag) => {
    const body: Partial<Record<Member, string>> = Object.fromEntries(changed.map((member) => [member, typed(member)]))
    const version = body.sourceText === undefined ? undefined : versionOf(etag)
    save.mutateAsync({ body, version }).then((data) => settle(body, data), meet)
  }
  const field = (member: Member) => ({
    value: typed(member),
    readOnly: !mayEdit,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => edits.type(targetOf(member), currentTarget.value, item[member]),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Stack gap="sm">
        <MessageField
          label={source ? t('sourceIn', { language: nameOf(source) }) : t('source')}
          isRequired
          locale={source}
          value={typed('sourceText')}
          isReadOnly={!mayEdit}
          onChange={(text) => edits.type(targetOf('sourceText'), text, item.sourceText, item.etag)}
        />
        <Textarea
          label={t('description')}
          description={t('descriptionHint')}
          autosize
          minRows={1}
          maxLength={LIMITS.stringDescriptionLength}
          dir="auto"
          {...field('description')}
        />
        <TextInput label={t('namespace')} required maxLength={LIMITS.namespaceLength} {...field('namespace')} />
        {changed.includes('sourceText') && toReview > 0 && (
          <Alert color="orange" role="status">
            {t('sourceChangeWarning', { count: toReview })}
          </Alert>
        )}
        {save.error && !(theirs && isVersionChanged(save.error)) && <Failure error={save.error} />}
        {theirs && (
          <TextConflict
            mine={typed('sourceText')}
            theirs={{ text: theirs.sourceText, etag: theirs.etag }}
            locale={source}
            isBusy={save.isPending}
            onMine={() => submit(theirs.etag)}
            onTheirs={() => {
              edits.close(targetOf('sourceText'))
              setTheirs(undefined)
              save.reset()
            }}
          />
        )}
        {changed.length > 0 && (
          <Group gap="xs">
            <Button type="submit" size="xs" loading={save.isPending}>
              {t('save')}
            </Button>
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              onClick={() => {
                save.reset()
                forget()
              }}
            >
              {t('discard')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
