// The description that the service gives of itself.
export { description } from './service.mjs';
