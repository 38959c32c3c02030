/** What other modules may use of people: their rows, what rules see of them, and what clients may do in their name. */
export {
  isLive,
  isOfEnvironment,
  lockDeviceState,
  lockOwnDevice,
  readDeviceState,
  refuseErased,
  requireConsenting,
  requireUser,
  signedInUser,
  type DeviceState,
} from './device-state.ts'
export { appendLedger, forgottenDecisions, hashSubject, subjectOfPerson, type ConsentOrigin, type Decided } from './ledger.ts'
export { parsePhone } from './parse-phone.ts'
export {
  deleteProfile,
  findDevice,
  findOwnEnvironment,
  findPerson,
  findProfile,
  findSubjectSalt,
  listErased,
  listSegmentNames,
  lockDevice,
  lockProfile,
  updateDevice,
  updateProfile,
  type DeviceRow,
  type ProfileRow,
} from './queries.ts'
export { subjectOf } from './subject.ts'
