/** The exchange space over real JVMs. */
package io.karmi.exchange;
