import { Skeleton, Stack, Tabs, Text, UnstyledButton } from '@mantine/core'
import { IconFilePlus, IconMail } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { call } from '../../../api.ts'
import { usePages, useRead } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useLanguage } from '../../../i18n.ts'
import { useSession } from '../../../session.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { MAILS, mailApi, type GalleryMail, type LibraryMail, type ListedMail } from '../api.ts'
import { useTexts } from '../texts.ts'
import { MailThumbnail } from './mail-thumbnail.tsx'
import classes from './start.module.css'

/** What a mail is begun from. `name`: what it was called there; undefined: it had no name. */
export type Begun = { document: MailDocument; name?: string }

type StartChoiceProps = {
  /** The mail of somebody who wants neither template. */
  blank: () => MailDocument
  onPick: (begun: Begun) => void
}

/** Blank, a template of the gallery, or one that the workspace keeps. */
export function StartChoice({ blank, onPick }: StartChoiceProps) {
  const t = useTexts()
  return (
    <Tabs defaultValue="gallery" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="gallery">{t('gallery')}</Tabs.Tab>
        <Tabs.Tab value="saved">{t('saved')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="gallery" pt="md">
        <Gallery blank={blank} onPick={onPick} />
      </Tabs.Panel>
      <Tabs.Panel value="saved" pt="md">
        <Saved onPick={onPick} />
      </Tabs.Panel>
    </Tabs>
  )
}

function Gallery({ blank, onPick }: StartChoiceProps) {
  const t = useTexts()
  const language = useLanguage()
  const read = useRead<{ templates: GalleryMail[] }>(`${MAILS}/gallery`)
  if (read.error) return <Failure error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Skeleton height={320} />
  return (
    <ul className={classes.grid} aria-label={t('gallery')}>
      <Card
        name={t('blank')}
        text={t('blankText')}
        picture={
          <div className={`${classes.thumbnail} ${classes.blank}`} style={{ blockSize: 240 }} aria-hidden>
            <IconFilePlus size={48} stroke={1.2} />
          </div>
        }
        onPick={() => onPick({ document: blank() })}
      />
      {read.data.templates.map(({ id, category, names, document }) => (
        <Card
          key={id}
          name={names[language]}
          text={t(`category_${category}`)}
          picture={<MailThumbnail document={document} locale={language} name={t('asPerson')} />}
          onPick={() => onPick({ document, name: names[language] })}
        />
      ))}
    </ul>
  )
}

function Saved({ onPick }: Pick<StartChoiceProps, 'onPick'>) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const pages = usePages<ListedMail>(MAILS, 'mails', { kind: 'template' })
  if (pages.error) return <Failure error={pages.error} onRetry={pages.retry} />
  if (pages.isLoading) return <Skeleton height={320} />
  if (pages.items.length === 0) return <EmptyState icon={IconMail} title={t('noneSaved')} text={t('noneSavedText')} />
  const open = async ({ id, name }: ListedMail) => {
    const { data } = await call<LibraryMail>(mailApi(id), { workspaceId: workspace.id })
    onPick({ document: data.document, name })
  }
  return (
    <ul className={classes.grid} aria-label={t('saved')}>
      {pages.items.map((mail) => (
        <Card
          key={mail.id}
          name={mail.name}
          text={[mail.category, ...mail.locales.map((code) => format.language(code))].filter(Boolean).join(' · ')}
          picture={null}
          onPick={() => void open(mail)}
        />
      ))}
    </ul>
  )
}

type CardProps = { name: string; text: string; picture: ReactNode; onPick: () => void }

function Card({ name, text, picture, onPick }: CardProps) {
  return (
    <li>
      <UnstyledButton className={classes.card} onClick={onPick}>
        {picture}
        <Stack gap={0} pt={picture === null ? 12 : 0}>
          <Text fw={600} size="sm" dir="auto" className="cf-foreign">
            {name}
          </Text>
          <Text size="xs" c="dimmed" dir="auto" className="cf-foreign">
            {text}
          </Text>
        </Stack>
      </UnstyledButton>
    </li>
  )
}
