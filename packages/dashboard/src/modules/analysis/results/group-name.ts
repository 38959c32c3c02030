import { useTexts } from '../texts.ts'

type Group = { value: string | number | boolean | null; isOther: boolean; name?: string | undefined }

/** What a group is called: its value or the name of its segment, none, or all the others. */
export function useGroupName(): (group: Group) => string {
  const t = useTexts()
  return ({ value, isOther, name }) => (isOther ? t('others') : value === null ? t('none') : (name ?? String(value)))
}
