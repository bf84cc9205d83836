import { describeLevelStores } from "../support/level-stores.js";

describeLevelStores();
