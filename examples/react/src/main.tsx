// SPDX-License-Identifier: Apache-2.0
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { configure } from '@porchlight/client';
import { App } from './app';

// The service. Without this, the page's own origin is called.
configure({ base: document.documentElement.dataset.service });

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
