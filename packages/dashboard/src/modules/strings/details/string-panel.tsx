import { ActionIcon, Badge, Drawer, Group, Paper, Skeleton, Stack, Text, Title, useDirection } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { readPlaceholders } from '@contentflow/core/strings/placeholders.ts'
import { useRead } from '../../../data.ts'
import { CopyField } from '../../../ui/fields/copy-field.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Moment } from '../../../ui/moments/moment.tsx'
import { pathOf, type Languages, type StringItem } from '../api.ts'
import type { Approval } from '../approval.tsx'
import type { Edits } from '../edits.ts'
import { DeliverySection } from './delivery-section.tsx'
import { DetailsForm } from './details-form.tsx'
import { Preview } from './preview.tsx'
import { samplesOf } from './samples.ts'
import { KeepFocus } from '../../../ui/dialog.tsx'
import { useTexts } from '../texts.ts'
import { TextHistory } from './text-history.tsx'
import { TranslationList } from './translation-list.tsx'

type StringPanelProps = {
  /** Empty: closed. */
  openKey: string
  /** The keys of the list behind it, to go from one to the next. */
  keys: string[]
  languages: Languages
  /** The language that the member works in. */
  preferred: string | undefined
  edits: Edits
  approval: Approval
  onOpen: (key: string) => void
  onClose: () => void
}

/** All about one string. */
export function StringPanel({ openKey, keys, onOpen, onClose, ...rest }: StringPanelProps) {
  const t = useTexts()
  const { dir } = useDirection()
  const at = keys.indexOf(openKey)
  return (
    <Drawer.Root opened={openKey !== ''} onClose={onClose} position={dir === 'rtl' ? 'left' : 'right'} size={640}>
      <Drawer.Overlay backgroundOpacity={0.35} />
      <Drawer.Content>
        <Drawer.Header>
          <Group gap={4} wrap="nowrap" miw={0} flex={1}>
            <Step
              label={t('previousString')}
              icon={<IconChevronUp size={18} aria-hidden />}
              to={at > 0 ? keys[at - 1] : undefined}
              onOpen={onOpen}
            />
            <Step
              label={t('nextString')}
              icon={<IconChevronDown size={18} aria-hidden />}
              to={at === -1 ? undefined : keys[at + 1]}
              onOpen={onOpen}
            />
            <Drawer.Title component="h2" fw={600}>
              {t('string')}
            </Drawer.Title>
          </Group>
          <Drawer.CloseButton aria-label={t('close')} />
        </Drawer.Header>
        <KeepFocus />
        <Drawer.Body>{openKey !== '' && <PanelBody key={openKey} stringKey={openKey} {...rest} />}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}

function Step({ label, icon, to, onOpen }: { label: string; icon: ReactNode; to: string | undefined; onOpen: (key: string) => void }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      bg={to === undefined ? 'transparent' : undefined}
      aria-label={label}
      disabled={to === undefined}
      onClick={() => to !== undefined && onOpen(to)}
    >
      {icon}
    </ActionIcon>
  )
}

type PanelBodyProps = Omit<StringPanelProps, 'openKey' | 'keys' | 'onOpen' | 'onClose'> & { stringKey: string }

function PanelBody({ stringKey, languages, preferred, edits, approval }: PanelBodyProps) {
  const t = useTexts()
  const found = useRead<StringItem>(pathOf(stringKey))
  // While the next one loads, the data is still that of the one before.
  const item = found.data?.key === stringKey ? found.data : undefined
  if (found.error && !item) return <Failure error={found.error} onRetry={() => void found.refetch()} />
  if (!item) return <Skeleton h={480} />
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <CopyField value={item.key} label={t('key')} />
        <Text size="xs" c="dimmed" component="div">
          {t('changed')} <Moment at={item.updatedAt} />
        </Text>
      </Stack>
      <Section title={t('source')}>
        <DetailsForm item={item} source={languages.source} edits={edits} />
        <Placeholders text={item.sourceText} />
        <Group>
          <TextHistory textKey={item.key} locale={languages.source} isSource etag={item.etag} />
        </Group>
      </Section>
      <Section title={t('translations')}>
        <TranslationList item={item} translated={languages.translated} edits={edits} approval={approval} />
      </Section>
      <Section title={t('preview')}>
        <Preview item={item} languages={languages} preferred={preferred} />
      </Section>
      <Section title={t('delivery')}>
        <DeliverySection item={item} />
      </Section>
    </Stack>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper component="section" withBorder p="md" aria-label={title}>
      <Stack gap="sm">
        <Title order={3}>{title}</Title>
        {children}
      </Stack>
    </Paper>
  )
}

/** The placeholders that a translation has to keep. */
function Placeholders({ text }: { text: string }) {
  const t = useTexts()
  const { printf, tags } = readPlaceholders(text)
  const names = [
    ...samplesOf([text]).map(({ name, kind }) => `{${name}} · ${t(`sample_${kind}`)}`),
    ...[...printf.keys()].map((position) => `%${position}`),
    ...new Set(tags),
  ]
  return (
    <Group gap={6} align="center">
      <Text size="xs" c="dimmed">
        {t(names.length === 0 ? 'noPlaceholders' : 'placeholders')}
      </Text>
      {names.map((name) => (
        <Badge key={name} variant="default" size="sm" tt="none" fw={500} className="cf-code">
          {name}
        </Badge>
      ))}
    </Group>
  )
}
