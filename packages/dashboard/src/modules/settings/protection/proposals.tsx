import { Button, Group, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { Section } from '../../../ui/section.tsx'
import { useProposalTexts } from './texts-proposals.ts'

const ProposedSwitches = lazy(async () => ({ default: (await import('./proposed-switches.tsx')).ProposedSwitches }))

/** Shown to a member who creates a workspace or its first key. The switches are loaded on demand, because the start page has to be small. */
export function Proposals({ decide }: { decide: () => void }) {
  const t = useProposalTexts()
  const [isOpen, setOpen] = useState(false)
  const notNow = (
    <Button variant="default" onClick={decide}>
      {t('notNow')}
    </Button>
  )
  return (
    <Section title={t('title')} text={t('lead')}>
      {isOpen ? (
        <Suspense>
          <ProposedSwitches decide={decide} notNow={notNow} />
        </Suspense>
      ) : (
        <>
          <Text size="sm">{t('what')}</Text>
          <Group gap="sm">
            <Button onClick={() => setOpen(true)}>{t('choose')}</Button>
            {notNow}
          </Group>
        </>
      )}
    </Section>
  )
}
