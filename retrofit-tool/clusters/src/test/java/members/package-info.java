/** Programs that know nothing of KaRMI: members of clusters, which do as they are told. */
package members;
