import { Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { layMail } from '@contentflow/core/mail/variants/variant-mail.ts'
import { useFormat } from '../../../../format.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { useBrand } from '../../../mails/api.ts'
import { countOf, variantOf } from '../../../mails/editor/document/variant.ts'
import { useComposer } from '../composer-context.tsx'
import { mailOf, withMail } from '../variants/variant-mails.ts'
import { useMailTexts } from './mail-texts.ts'

const MailEditor = lazy(async () => ({ default: (await import('../../../mails/editor/mail-editor.tsx')).MailEditor }))

/** What the open variant says otherwise in the mail of sections, and the way to write it. */
export function VariantMailCard() {
  const t = useMailTexts()
  const { draft, change, variant: index } = useComposer()
  const [isOpen, setOpen] = useState(false)
  const { mail, variants } = draft
  const variant = index === null ? undefined : variants[index]
  if (!mail || !variant || index === null || !draft.dispatchChannels.includes('email')) return null
  const own = mailOf(variant)
  return (
    <Paper withBorder p="md" role="group" aria-label={t('variantMail')}>
      <Stack gap="sm">
        <Text size="sm" fw={600}>
          {t('variantMail')}
        </Text>
        <Text size="sm" c="dimmed">
          {mail.kind === 'html' ? t('variantHtml') : <Said variant={variant} />}
        </Text>
        {mail.kind === 'sections' && (
          <Group gap="xs">
            <Button variant="light" size="xs" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setOpen(true)}>
              {t('variantWrite')}
            </Button>
            {own && (
              <Button variant="default" size="xs" onClick={() => change({ variants: withMail(variants, index, undefined) })}>
                {t('variantReset')}
              </Button>
            )}
          </Group>
        )}
      </Stack>
      <Dialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('variantTitle', { name: variant.id })}
        fullScreen
        closeOnEscape={false}
      >
        {isOpen && <OpenVariant mail={mail} index={index} onDone={() => setOpen(false)} />}
      </Dialog>
    </Paper>
  )
}

function Said({ variant }: { variant: Parameters<typeof mailOf>[0] }) {
  const t = useMailTexts()
  const format = useFormat()
  const own = mailOf(variant)
  if (!own) return t('variantAsMail')
  const { texts, hidden } = countOf(own)
  return [
    variant.mail ? '' : t('variantByLanguage'),
    texts > 0 ? t('variantTexts', { count: texts, formatted: format.number(texts) }) : '',
    hidden > 0 ? t('variantHidden', { count: hidden, formatted: format.number(hidden) }) : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** What is written is kept as the mail of the variant, and here also what has no place in it, such as a subject that was emptied to be typed anew. */
function OpenVariant({ mail, index, onDone }: { mail: MailDocument; index: number; onDone: () => void }) {
  const t = useMailTexts()
  const { draft, change, locales, locale, setLocale } = useComposer()
  const brand = useBrand()
  const variant = draft.variants[index]
  const [edited, setEdited] = useState(() => layMail(mail, variant && mailOf(variant)))
  return (
    <Stack gap="md">
      <Suspense fallback={<Skeleton height={480} />}>
        <MailEditor
          document={edited}
          variantOf={mail}
          onChange={(next) => {
            setEdited(next)
            change({ variants: withMail(draft.variants, index, variantOf(mail, next)) })
          }}
          locales={locales}
          locale={locale}
          onLocale={setLocale}
          brand={brand}
        />
      </Suspense>
      <Group justify="flex-end">
        <Text size="sm" c="dimmed">
          {t('keeps')}
        </Text>
        <Button onClick={onDone}>{t('done')}</Button>
      </Group>
    </Stack>
  )
}
