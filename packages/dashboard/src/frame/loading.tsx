import { Center, Loader } from '@mantine/core'
import { useTexts } from './texts.ts'

/** Shown before anything of a page is loaded. */
export function Loading() {
  const t = useTexts()
  return (
    <Center mih="60vh">
      <Loader aria-label={t('loading')} role="status" />
    </Center>
  )
}
