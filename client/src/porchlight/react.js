// SPDX-License-Identifier: Apache-2.0
/** See react.d.ts. */

import './account-element.js';
import './signin-element.js';
