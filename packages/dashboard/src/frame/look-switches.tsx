import { ActionIcon, Text, Tooltip, UnstyledButton, useComputedColorScheme, useDirection, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { useEffect } from 'react'
import { directionOf, useLanguage } from '../i18n.ts'
import { useTexts } from './texts.ts'
import { useOtherLanguage } from './use-other-language.ts'
import classes from './frame.module.css'

export function LanguageSwitch() {
  const t = useTexts()
  const language = useLanguage()
  const { setDirection } = useDirection()
  const { other, change } = useOtherLanguage()
  useEffect(() => setDirection(directionOf(language)), [language, setDirection])
  return (
    <UnstyledButton className={classes.language} lang={other} onClick={change}>
      <Text size="sm" fw={500}>
        {t('language')}
      </Text>
    </UnstyledButton>
  )
}

export function ColourSwitch() {
  const t = useTexts()
  const { setColorScheme } = useMantineColorScheme()
  const next = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark'
  const Picture = next === 'dark' ? IconMoon : IconSun
  return (
    <Tooltip label={t(next)}>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t(next)} onClick={() => setColorScheme(next)}>
        <Picture size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
