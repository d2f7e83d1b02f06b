// The service's own description.
export { description } from './service.mjs';
