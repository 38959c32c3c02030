import { Anchor, Group, Skeleton, Text } from '@mantine/core'
import {
  IconChevronRight,
  IconCircleCheck,
  IconFilePencil,
  IconFileText,
  IconHourglass,
  IconInbox,
  IconLanguage,
  IconRadar2,
  type Icon,
} from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { useFormat } from '../../format.ts'
import { useSession } from '../../session.tsx'
import { Section } from '../../ui/section.tsx'
import type { Overview } from '../content/api.ts'
import { useEnding } from '../settings/access/api.ts'
import { useTexts } from './texts.ts'
import classes from './home.module.css'

// Loaded only where something waits.
const ReviewQueue = lazy(async () => ({ default: (await import('../reviews/review-queue.tsx')).ReviewQueue }))

/** What waits for a member. */
export function Waiting({ waiting }: { waiting: Overview['waiting'] }) {
  const { stringsInReview, sensorRequests, drafts, changes, subjectRequests } = waiting
  const reviews = waiting.reviews + waiting.campaignReviews
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const ending = useEnding()
  const endingTab = ending.some(({ kind }) => kind === 'token') ? 'access' : 'keys'
  const items: {
    name: 'waitReview' | 'waitSensor' | 'waitDrafts' | 'waitChanges' | 'waitPeople' | 'waitEnding'
    count: number
    to: string
    icon: Icon
  }[] = [
    { name: 'waitPeople', count: subjectRequests, to: '/people/requests', icon: IconInbox },
    { name: 'waitEnding', count: ending.length, to: `/settings/${endingTab}`, icon: IconHourglass },
    { name: 'waitReview', count: stringsInReview, to: '/strings?status=review', icon: IconLanguage },
    { name: 'waitSensor', count: sensorRequests, to: '/strings', icon: IconRadar2 },
    { name: 'waitDrafts', count: drafts, to: '/content?view=table&state=draft', icon: IconFileText },
    { name: 'waitChanges', count: changes, to: '/content?view=table&state=changed', icon: IconFilePencil },
  ]
  const open = items.filter(({ count }) => count > 0)
  return (
    <Section title={t('waiting')}>
      <Suspense fallback={<Skeleton h={48} />}>{reviews > 0 && <ReviewQueue total={reviews} />}</Suspense>
      {open.length + reviews === 0 ? (
        <Group gap="xs" c="dimmed" wrap="nowrap">
          <IconCircleCheck size={20} stroke={1.7} aria-hidden style={{ flexShrink: 0 }} />
          <Text>{t('nothingWaits')}</Text>
        </Group>
      ) : (
        <ul className={classes.rows}>
          {open.map(({ name, count, to, icon: Picture }) => (
            <li key={name}>
              <Anchor component={Link} to={`/w/${workspace.id}${to}`} c="inherit" underline="hover">
                <Group gap="sm" wrap="nowrap">
                  <Picture size={20} stroke={1.7} aria-hidden style={{ flexShrink: 0 }} />
                  <span style={{ flex: 1 }}>{t(name, { count, formatted: format.number(count) })}</span>
                  <IconChevronRight size={16} aria-hidden className="cf-mirrored" style={{ flexShrink: 0 }} />
                </Group>
              </Anchor>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
