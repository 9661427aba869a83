// SPDX-License-Identifier: Apache-2.0

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

/** A database in memory with enough of MongoDB's protocol for the suite. Argument: port. */
public class Mongo {
    public static void main(String[] args) {
        new MongoServer(new MemoryBackend()).bind("127.0.0.1", Integer.parseInt(args[0]));
    }
}
