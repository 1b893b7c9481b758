import type { Privacy, PrivacyAgreeButton } from './port'

/** A browser asks for each permission itself. */
export const privacy: Privacy = { onRequest: () => undefined, answer: () => undefined }

export const HostAgreeButton: PrivacyAgreeButton = () => null
