import { Anchor, Group, Paper, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useFormat } from '../../../format.ts'
import type { Locale } from '../api.ts'
import { LanguageTitle } from '../language-title.tsx'
import { useTexts } from '../texts.ts'

/** The page of languages shows more. */
const MOST_BARS = 6

/** How much of the catalog is translated, by language. The numbers lead to the strings that are meant. */
export function Coverage({
  translated,
  moreAt,
  linkTo,
}: {
  translated: Locale[]
  moreAt: string
  linkTo: (locale: Locale, status: string) => string
}) {
  const t = useTexts()
  const across = (most: number) => Math.min(most, translated.length)
  if (translated.length === 0) return null
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 1, xs: across(2), md: across(3) }} spacing="sm">
        {translated.slice(0, MOST_BARS).map((locale) => (
          <Paper key={locale.code} withBorder p="sm">
            <CoverageBar locale={locale} linkTo={linkTo} />
          </Paper>
        ))}
      </SimpleGrid>
      {translated.length > MOST_BARS && (
        <Anchor component={Link} to={moreAt} size="sm">
          {t('allLanguages', { count: translated.length })}
        </Anchor>
      )}
    </Stack>
  )
}

export function CoverageBar({ locale, linkTo }: { locale: Locale; linkTo: (locale: Locale, status: string) => string }) {
  const t = useTexts()
  const format = useFormat()
  const { ok, review, missing } = locale.counts
  const total = ok + review + missing
  const share = (part: number) => (total === 0 ? 0 : (part * 100) / total)
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        <LanguageTitle locale={locale} />
        <Text size="sm" fw={600}>
          {format.percent(locale.coverage / 100)}
        </Text>
      </Group>
      <Progress.Root size={8} aria-hidden>
        <Progress.Section value={share(ok)} color="green" />
        <Progress.Section value={share(review)} color="orange" />
      </Progress.Root>
      <Group gap="sm">
        <Text size="xs" c="dimmed">
          {t('countOk', { count: ok, number: format.number(ok) })}
        </Text>
        {review > 0 && (
          <Anchor component={Link} to={linkTo(locale, 'review')} size="xs">
            {t('countReview', { count: review, number: format.number(review) })}
          </Anchor>
        )}
        {missing > 0 && (
          <Anchor component={Link} to={linkTo(locale, 'missing')} size="xs">
            {t('countMissing', { count: missing, number: format.number(missing) })}
          </Anchor>
        )}
      </Group>
    </Stack>
  )
}
