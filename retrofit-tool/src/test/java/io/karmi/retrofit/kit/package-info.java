/** What the tests of retrofitting share: programs compiled on the spot, and JVMs to run them in. */
package io.karmi.retrofit.kit;
