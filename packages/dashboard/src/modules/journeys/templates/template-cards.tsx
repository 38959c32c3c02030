import { SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core'
import { Link } from 'react-router'
import { useSession } from '../../../session.tsx'
import classes from '../journeys.module.css'
import { TEMPLATES } from './templates.ts'
import { useTemplateTexts } from './texts-templates.ts'
import { useTexts } from '../texts.ts'

/** Templates; each leads to a draft that is not stored yet. */
export function TemplateCards() {
  const t = useTexts()
  const templates = useTemplateTexts()
  const { workspace } = useSession()
  return (
    <Stack gap="sm" component="section" aria-label={t('startFrom')}>
      <Stack gap={2}>
        <Text fw={600}>{t('startFrom')}</Text>
        <Text size="sm" c="dimmed">
          {t('startFromText')}
        </Text>
      </Stack>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {TEMPLATES.map((name) => (
          <UnstyledButton key={name} component={Link} to={`/w/${workspace.id}/journeys/new?template=${name}`} className={classes.template}>
            <Text fw={600} component="span">
              {templates(name)}
            </Text>
            <Text size="sm" c="dimmed" component="span">
              {templates(`${name}Text`)}
            </Text>
          </UnstyledButton>
        ))}
      </SimpleGrid>
    </Stack>
  )
}
