import { createContext, useContext } from 'react'
import type { Field, Json } from '@contentflow/core/blocks/field.ts'
import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import type { Definition, Instance, Locale } from './api.ts'
import type { Children } from './fields/children.ts'
import type { Faults } from './changes/faults.ts'
import type { ChangeLocation } from './changes/places.ts'

export type Editor = {
  definition: Definition
  /** One field for each tag: the first that has it. */
  fields: Field[]
  /** The stored instance. */
  instance: Instance
  /** The content in the form. */
  content: InstanceContent
  change: (place: ChangeLocation, value: Json | undefined) => void
  /** Changes several things at once. */
  replace: (edit: (content: InstanceContent) => InstanceContent) => void
  isReadOnly: boolean
  locales: Locale[]
  /** The language of the base values; undefined until the workspace names one. */
  source: Locale | undefined
  faults: Faults
  /** Instances inside collections, by id. */
  children: Children
}

export const EditorContext = createContext<Editor | undefined>(undefined)

/** For parts of the instance editor. */
export function useEditor(): Editor {
  const editor = useContext(EditorContext)
  if (!editor) throw new Error('A part of the editor is used outside of it')
  return editor
}
