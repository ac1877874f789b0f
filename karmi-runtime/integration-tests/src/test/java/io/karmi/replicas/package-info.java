/** Several objects behind one stub, in JVMs that are killed. */
package io.karmi.replicas;
