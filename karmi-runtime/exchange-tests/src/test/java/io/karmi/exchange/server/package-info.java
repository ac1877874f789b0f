/** Memory of the directory's server. */
package io.karmi.exchange.server;
